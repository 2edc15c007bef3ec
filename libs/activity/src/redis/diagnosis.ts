import type { RedisClient } from '@laurel/leaderboard';

/** Why a client does not connect. */
export interface ConnectionFault {
  /** What is wrong and what to set, in words. */
  readonly remedy: string;
  /** Whether it may end by itself: a failover looks alike. */
  readonly mayPass: boolean;
}

/** Finds out why a client is not ready, of what the client says of its connections. */
export type FaultFinder = (event: FailureEvent, error: Error, address?: string) => void;

/** Says what is wrong with a Redis that cannot be used: the room `diagnosis`, which is loaded when one cannot. */
export interface Diagnosis {
  /** For one client; it tells each fault once. */
  readonly faultFinder: (client: RedisClient, tell: (fault: ConnectionFault) => void) => FaultFinder;
  /** What an operator can do about an error of Redis or of a connection; null: wait, or it is not known. */
  readonly remedyOf: (error: unknown) => string | null;
  /** A code of Redis, and what can be done about it. */
  readonly describedCode: (code: string) => string;
}

const failureEvents = ['error', 'node error', 'sentinelError'] as const;
type FailureEvent = (typeof failureEvents)[number];

/**
 * Tells why a client is not ready, for as long as it is not.
 * @param load called when the client first fails.
 * @returns how to stop.
 */
export function watchFaults(
  client: RedisClient,
  tell: (fault: ConnectionFault) => void,
  load: () => Pick<Diagnosis, 'faultFinder'>,
): () => void {
  let find: FaultFinder | undefined;
  const listeners = failureEvents.map((event) => {
    const hear = (error: Error, address?: string) => (find ??= load().faultFinder(client, tell))(event, error, address);
    return [event, hear] as const;
  });
  for (const [event, hear] of listeners) client.on(event, hear);
  return () => listeners.forEach(([event, hear]) => client.off(event, hear));
}
