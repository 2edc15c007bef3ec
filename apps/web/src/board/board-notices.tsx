import { useEffect } from 'preact/hooks';
import { isPassing } from '../http/api-error';
import { formatTime } from '../language/format';
import { messages } from '../language/language';
import { announce } from '../ui/announcer';
import { Icon } from '../ui/icon';
import { classes } from '../ui/classes';
import type { Passed } from './overtaken';
import type { BoardView } from './use-standings';
import ui from '../ui/pieces.module.css';
import styles from './board-notices.module.css';

/** Says that the shown page is old, or that there is none. */
export function BoardFault({ view, isKnown }: { view: BoardView; isKnown: boolean }) {
  const { fault, readAt } = view;
  if (!fault) return null;
  const { fault: words, board } = messages.value;
  return (
    <p class={ui.notice} role="alert" id="notice">
      {isNotThere(view) ? (isKnown ? board.noPeriod : board.noBoard) : words[fault.kind]}{' '}
      {isPassing(fault) && words.keepsTrying} {readAt && words.shownOf(formatTime(readAt))}
    </p>
  );
}

/** Whether the server has no such board or no such period. */
export function isNotThere({ fault }: BoardView): boolean {
  return fault?.kind === 'notFound' || fault?.kind === 'refused';
}

/** Tells the reader who overtook them, until they dismiss it. */
export function OvertakenNotice({ passed, dismiss }: { passed: Passed | null; dismiss: () => void }) {
  const { board } = messages.value;
  const name = passed?.by?.user?.name;
  const text = passed && (name === undefined ? board.overtaken(passed.rank) : board.overtakenBy(name, passed.rank));
  useEffect(() => {
    if (text !== null) announce(text);
  }, [text]);
  if (text === null) return null;
  return (
    <p class={classes(ui.appearing, styles.overtaken)} id="overtaken">
      <span>{text}</span>
      <button type="button" class={ui.iconButton} aria-label={board.dismiss} onClick={dismiss}>
        <Icon name="close" />
      </button>
    </p>
  );
}
