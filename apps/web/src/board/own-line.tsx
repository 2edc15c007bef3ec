import { useEffect, useRef } from 'preact/hooks';
import { formatNumber, formatPercentile } from '../language/format';
import type { Category } from '../language/categories';
import { messages } from '../language/language';
import { session } from '../session/session';
import { announce } from '../ui/announcer';
import { Avatar } from '../ui/avatar';
import { TitleChip } from '../ui/title-chip';
import type { Standing } from '../ranks/ranks';
import { pathOf } from '../addresses/pages';
import { classes } from '../ui/classes';
import ui from '../ui/pieces.module.css';
import styles from './own-line.module.css';

/** The signed-in user's own line, which stays in sight; an invitation where nobody is signed in. */
export function OwnLine({
  own,
  isPast,
  category,
  around,
}: {
  own: Standing | null;
  isPast: boolean;
  category: Category | undefined;
  around: () => void;
}) {
  const { own: words, signIn, categoryNames, category: ofCategory } = messages.value;
  const user = session.value?.user;
  useSpokenRank(own);
  if (!user) {
    return (
      <p class={classes(styles.line, styles.invitation)}>
        <span>{signIn.invitation}</span>
        <a class={classes(ui.button, ui.small)} href={`${pathOf('signIn')}?new`}>
          {signIn.register}
        </a>
      </p>
    );
  }
  if (!own) return null;
  const { entry } = own;
  const none = category === undefined ? words.none : ofCategory.ownNone(categoryNames[category]);
  return (
    <section class={styles.line} aria-label={words.title} id="own">
      <Avatar class={styles.portrait} name={user.name} url={user.avatarUrl} size={40} />
      {entry.rank === null ? (
        <p class={styles.facts}>
          {own.optedOut ? words.optedOut : own.excluded ? words.excluded : isPast ? words.nonePast : none}
        </p>
      ) : (
        <OwnFacts own={own} rank={entry.rank} />
      )}
      {entry.rank !== null && (
        <button type="button" class={classes(ui.button, ui.small)} onClick={around}>
          {words.around}
        </button>
      )}
    </section>
  );
}

function OwnFacts({ own, rank }: { own: Standing; rank: number }) {
  const { own: words, board } = messages.value;
  const { entry, ahead, percentile, top10, tied } = own;
  // Between two readings the user may have drawn level with the entry that the last one found ahead.
  const gap = ahead && ahead.score > entry.score ? ahead.score - entry.score : null;
  const next = rank === 1 ? (tied ? words.leadingTied : words.leading) : gap !== null ? words.gap(gap) : null;
  return (
    <div class={styles.facts}>
      <p class={styles.head}>
        <strong id="own-rank" aria-label={tied ? board.tiedRank(rank) : board.rank(rank)}>
          {tied ? `${formatNumber(rank)}=` : formatNumber(rank)}
        </strong>
        <span id="own-score">
          {formatNumber(entry.score)} {board.points(entry.score)}
        </span>
        <TitleChip class={styles.title} title={entry.title} />
      </p>
      <p class={styles.more}>
        {next !== null && <span id="own-gap">{next}</span>}
        {percentile !== null && percentile > 0 && percentile < 100 && (
          <span id="own-percentile">{words.aheadOf(formatPercentile(percentile))}</span>
        )}
        {top10 && <span>{words.toTop10(top10.gap)}</span>}
      </p>
    </div>
  );
}

/** Tells readers by ear when their own rank is another one. */
function useSpokenRank(own: Standing | null): void {
  const last = useRef<{ board: string; rank: number | null } | null>(null);
  useEffect(() => {
    if (!own) return;
    const board = `${own.leaderboard} ${own.partition ?? ''} ${own.period.key}`;
    const { rank, score } = own.entry;
    const before = last.current;
    last.current = { board, rank };
    if (before?.board === board && before.rank !== rank && rank !== null) {
      announce(messages.value.board.youAre(rank, score));
    }
  }, [own]);
}
