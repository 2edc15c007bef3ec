import { cached } from '../../lists/lists';
import { type BoardPeriod, type BoardSet, mostShown } from '../periods/calendar';
import type { BoardOutcome, TransitionOutcome } from '../model/ledger.types';

/** The transition's outcome on each board, and the boards whose period had ended before it arrived. */
export interface BoardAnswer {
  readonly boards: Readonly<Record<string, BoardOutcome>>;
  readonly late: readonly string[];
}

/** The word for boards that were open to a transition. */
const wordOf: Record<TransitionOutcome, BoardOutcome> = {
  granted: 'counted',
  revoked: 'counted',
  duplicate: 'unchanged',
  notGranted: 'unchanged',
  limited: 'refused',
  rejected: 'refused',
  closed: 'closed',
};

/**
 * The answers about those boards of one day that a call finds open. Each answer is made once and shared by all results.
 */
export class BoardAnswers {
  private readonly made = new Map<BoardOutcome, BoardAnswer>();

  constructor(
    private readonly set: BoardSet,
    readonly open: readonly BoardPeriod[],
    private readonly nowMs: number,
  ) {}

  /** The boards' outcomes for a transition of that outcome that concerned no other day. */
  of(outcome: TransitionOutcome): BoardAnswer {
    const word = wordOf[outcome];
    return cached(this.made, word, () => this.make(word));
  }

  private make(word: BoardOutcome): BoardAnswer {
    const boards: Record<string, BoardOutcome> = {};
    const late: string[] = [];
    for (const period of this.set.periods) {
      if (period.board.tallyOf != null) continue;
      const isOpen = this.open.includes(period);
      boards[period.label] = isOpen ? word : 'closed';
      if (isOpen && word === 'counted' && this.nowMs >= (period.period.end?.getTime() ?? Infinity)) {
        late.push(period.label);
      }
    }
    for (const [name, reason] of this.set.missing) boards[name] = reason;
    return Object.freeze({ boards: Object.freeze(boards), late: Object.freeze(late) });
  }
}

/** The scores that open boards show, by their labels; and the answer's words, `full` where the member has more. */
export function shownOn(
  open: readonly BoardPeriod[],
  pointsOn: (period: BoardPeriod, place: number) => number,
  words: BoardAnswer['boards'],
) {
  const scores: Record<string, number> = {};
  let boards = words;
  for (const [place, period] of open.entries()) {
    const { board, label } = period;
    if (board.tallyOf != null) continue;
    const [points, most] = [pointsOn(period, place), mostShown(board)];
    if (Math.abs(points) > most && words[label] === 'counted') boards = { ...boards, [label]: 'full' };
    scores[label] = Math.min(Math.max(points, board.floor === null ? -most : 0), most);
  }
  return { scores, boards };
}

/** Merges the answers of several days: a board counted the transition if it did on any day. */
export function mergedAnswer(answers: readonly BoardAnswer[]): BoardAnswer {
  const boards: Record<string, BoardOutcome> = {};
  for (const answer of answers) {
    for (const [label, word] of Object.entries(answer.boards)) {
      if (boards[label] !== 'counted') boards[label] = word;
    }
  }
  return { boards, late: [...new Set(answers.flatMap(({ late }) => late))] };
}
