import { useCallback } from 'preact/hooks';
import { messages } from '../language/language';
import { useLoaded } from '../ui/use-loaded';
import { type Leaderboard, readPartitions } from './ranks';

/** Chooses a part of a partitioned leaderboard. */
export function PartitionChoice({
  leaderboard,
  period,
  chosen,
  choose,
}: {
  leaderboard: Leaderboard;
  period: string;
  chosen: string | undefined;
  choose: (partition: string) => void;
}) {
  const { name } = leaderboard;
  const read = useCallback(
    (signal: AbortSignal) => readPartitions({ leaderboard: name, period }, signal),
    [name, period],
  );
  const { value } = useLoaded(read);
  const parts = value ?? [];
  const all =
    chosen === undefined || parts.some((part) => part.name === chosen) ? parts : [...parts, { name: chosen, total: 0 }];
  return (
    <div class="parts" role="group" aria-label={messages.value.board.partition}>
      {all.map((part) => (
        <button key={part.name} type="button" aria-pressed={part.name === chosen} onClick={() => choose(part.name)}>
          {part.name} {part.total > 0 && <span class="count">{part.total}</span>}
        </button>
      ))}
    </div>
  );
}
