import type { WaitForReplicas } from '@laurel/leaderboard';
import { checkedWhole } from '../errors/check';

/** How many replicas a recording waits for; null: for none. */
export function resolveReplicas(wait: WaitForReplicas | undefined): WaitForReplicas | null {
  if (wait === undefined) return null;
  return Object.freeze({
    replicas: checkedWhole('waitForReplicas.replicas', wait.replicas, [1, 10]),
    timeoutMs: checkedWhole('waitForReplicas.timeoutMs', wait.timeoutMs ?? 500, [10, 60_000]),
  });
}
