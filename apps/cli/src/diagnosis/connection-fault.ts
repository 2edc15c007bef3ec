/** Why a client does not connect. */
export interface ConnectionFault {
  /** What is wrong and what to set, in words. */
  readonly remedy: string;
  /** Whether it may end by itself: a failover looks alike. */
  readonly mayPass: boolean;
}

/** What a client tells of its connections. */
export const failureEvents = ['error', 'node error', 'sentinelError'] as const;

/** Finds out why a client is not ready, of what the client says of its connections. */
export type FaultFinder = (event: (typeof failureEvents)[number], error: Error, address?: string) => void;
