import { boardPath } from '../board/board-path';
import { Places } from '../board/entry-line';
import { usualBoards } from '../ranks/boards';
import { standingQuery } from '../ranks/ranks';
import { hasEnded, useAgain } from '../ui/use-again';
import { isPassing } from '../http/api-error';
import { formatNumber, formatPercentile } from '../language/format';
import { messages } from '../language/language';
import { useResource } from '../resource/use-resource';
import { TitleChip } from '../ui/title-chip';
import { classes } from '../ui/classes';
import ui from '../ui/pieces.module.css';
import styles from './places.module.css';

/** Where somebody stands now, on every board. */
export function PlacesNow({ userId }: { userId: string }) {
  return (
    <section class={styles.places} aria-label={messages.value.person.placesNow}>
      {usualBoards.map((name) => (
        <PlaceNow key={name} leaderboard={name} userId={userId} />
      ))}
    </section>
  );
}

function PlaceNow({ leaderboard, userId }: { leaderboard: string; userId: string }) {
  const { board, own, person } = messages.value;
  const { value, fault, again } = useResource(standingQuery({ leaderboard, period: 'current' }, userId));
  useAgain(hasEnded(value?.period), again);
  const entry = value?.entry;
  return (
    <a
      class={classes(ui.card, styles.place)}
      href={boardPath({ leaderboard, around: userId })}
      data-board={leaderboard}
    >
      <span class={ui.quiet}>{board.names[leaderboard] ?? leaderboard}</span>
      <strong>{entry?.rank == null ? '–' : board.rank(entry.rank)}</strong>
      {entry?.rank != null && (
        <span>
          {formatNumber(entry.score)} {board.points(entry.score)} <Places change={entry.change} />
        </span>
      )}
      {entry?.rank === null && <span class={ui.quiet}>{value?.excluded ? person.notShown : person.notOn}</span>}
      {value?.percentile != null && value.percentile > 0 && value.percentile < 100 && (
        <span class={ui.quiet}>{own.aheadOf(formatPercentile(value.percentile))}</span>
      )}
      <TitleChip title={entry?.title} />
      {fault && !value && !isPassing(fault) && <span class={ui.quiet}>{messages.value.fault[fault.kind]}</span>}
    </a>
  );
}
