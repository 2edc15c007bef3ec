import type { LeaderboardSettledEvent } from './leaderboard-settled.event';

/**
 * Receives settled periods. Its promise is awaited: the period is acknowledged when it resolves. The signal is aborted
 * at the deadline, or when the app stops: the listener is then called again later.
 */
export type HearSettled = (event: LeaderboardSettledEvent, signal: AbortSignal) => unknown;

/** What a listener may be called. */
export const listenerNamePattern = /^[a-z0-9][a-z0-9_-]{0,31}$/;

/** What is allowed, in words. */
export const listenerNameAllowed = '1 to 32 of a-z, 0-9, "-" and "_", the first a letter or a digit';

const metadataKey = Symbol('laurel:settled-listener');

/**
 * Marks a method of a provider as a named listener: each settled period is announced to it until it has resolved once,
 * on any instance of the app, across crashes and restarts. Acknowledgements are stored under the name: keep it when you
 * rename the class or the method, and give no two listeners the same.
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
