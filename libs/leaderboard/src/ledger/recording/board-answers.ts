import type { BoardPeriod, BoardSet } from '../periods/calendar';
import type { BoardOutcome, TransitionOutcome } from '../model/ledger.types';

/** What a transition did on boards, and on which of them it came after their period's end. */
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

const nobody: readonly string[] = Object.freeze([]);

/** The answers about one day's boards, as far as a call finds them open. Each is made once and shared by all results. */
export class BoardAnswers {
  private readonly made = new Map<BoardOutcome, BoardAnswer>();
  private readonly openPeriods: ReadonlySet<BoardPeriod>;

  constructor(
    private readonly set: BoardSet,
    open: readonly BoardPeriod[],
    private readonly nowMs: number,
  ) {
    this.openPeriods = new Set(open);
  }

  /** What a transition of that outcome did, where it concerned no other day. */
  of(outcome: TransitionOutcome): BoardAnswer {
    const word = wordOf[outcome];
    let answer = this.made.get(word);
    if (!answer) {
      answer = this.make(word);
      this.made.set(word, answer);
    }
    return answer;
  }

  private make(word: BoardOutcome): BoardAnswer {
    const boards: Record<string, BoardOutcome> = {};
    const late: string[] = [];
    for (const period of this.set.periods) {
      if (period.board.tallyOf != null) continue;
      const isOpen = this.openPeriods.has(period);
      boards[period.label] = isOpen ? word : 'closed';
      if (isOpen && word === 'counted' && this.nowMs >= (period.period.end?.getTime() ?? Infinity)) {
        late.push(period.label);
      }
    }
    for (const [name, reason] of this.set.missing) boards[name] = reason;
    return Object.freeze({ boards: Object.freeze(boards), late: late.length > 0 ? Object.freeze(late) : nobody });
  }
}

/** What a transition did that changed the points of several days: a board counted it if it did on any of them. */
export function mergedAnswer(answers: readonly BoardAnswer[]): BoardAnswer {
  const boards: Record<string, BoardOutcome> = {};
  for (const answer of answers) {
    for (const [label, word] of Object.entries(answer.boards)) {
      if (boards[label] !== 'counted') boards[label] = word;
    }
  }
  return { boards, late: [...new Set(answers.flatMap(({ late }) => late))] };
}
