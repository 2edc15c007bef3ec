import { useEffect } from 'preact/hooks';
import { messages } from '../language/language';
import { announce } from '../ui/announcer';
import type { BoardView } from './use-standings';

/** Readers by ear hear of a new leader, not of every point. */
export function useSpokenLeader({ page, before }: BoardView): void {
  const [was, is] = [before?.entries[0], page?.entries[0]];
  // Around somebody the first line may be of any rank.
  const isNew = was?.rank === 1 && is?.rank === 1 && was.userId !== is.userId;
  useEffect(() => {
    if (!isNew) return;
    const { board, nobody } = messages.value;
    announce(board.leads(is.user?.name ?? nobody, is.score));
  }, [isNew, is]);
}
