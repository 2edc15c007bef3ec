import type { RedisClient } from '@laurel/leaderboard';
import { faultFinder } from './connection-faults';
import { type ConnectionFault, failureEvents } from './connection-fault';

/**
 * Tells why a client is not ready, for as long as it is not.
 * @returns how to stop.
 */
export function watchFaults(client: RedisClient, tell: (fault: ConnectionFault) => void): () => void {
  const find = faultFinder(client, tell);
  const listeners = failureEvents.map((event) => {
    const hear = (error: Error, address?: string) => find(event, error, address);
    return [event, hear] as const;
  });
  for (const [event, hear] of listeners) client.on(event, hear);
  return () => listeners.forEach(([event, hear]) => client.off(event, hear));
}
