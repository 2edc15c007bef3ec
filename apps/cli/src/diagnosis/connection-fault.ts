/** Why a client does not connect. */
export interface ConnectionFault {
  /** The fault and the setting that mends it, in words. */
  readonly remedy: string;
  /** Whether it may end by itself: a failover looks alike. */
  readonly mayPass: boolean;
}

/** The events of a client's connections. */
export const failureEvents = ['error', 'node error', 'sentinelError'] as const;

/** Finds out why a client is not ready, of what the client says of its connections. */
export type FaultFinder = (event: (typeof failureEvents)[number], error: Error, address?: string) => void;
