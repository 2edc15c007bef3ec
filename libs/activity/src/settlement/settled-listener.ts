import type { LeaderboardSettledEvent } from './leaderboard-settled.event';

/**
 * Hears that a period is settled. What it returns is awaited: only when it resolves is the period acknowledged. The
 * signal is aborted when the deadline is over, or the app ends: nobody waits for the listener any more, and it is told
 * again.
 */
export type HearSettled = (event: LeaderboardSettledEvent, signal: AbortSignal) => unknown;

/** What a listener may be called. */
export const listenerNamePattern = /^[a-z0-9][a-z0-9_-]{0,31}$/;

/** What is allowed, in words. */
export const listenerNameAllowed = '1 to 32 of a-z, 0-9, "-" and "_", the first a letter or a digit';

const metadataKey = Symbol('laurel:settled-listener');

/**
 * Marks a method of a provider as the listener of a name: each settled period is announced to it until it has resolved
 * once, by whichever instance of the app has it, across crashes and restarts. The name is what is remembered: it stays
 * the same when the class or the method is renamed, and no two listeners of an app share it.
 *
 * `@SettledListener('prizes') async givePrizes({ id, winners }: LeaderboardSettledEvent, signal: AbortSignal) { … }`
 */
export function SettledListener(
  name: string,
): <T extends HearSettled>(target: object, key: string | symbol, descriptor: TypedPropertyDescriptor<T>) => void {
  return (_target, _key, { value }) => {
    if (value) Reflect.defineMetadata(metadataKey, name, value);
  };
}

/** The name by which a method is marked; undefined where it is no listener. */
export function settledListenerName(method: object): string | undefined {
  return Reflect.getMetadata(metadataKey, method) as string | undefined;
}
