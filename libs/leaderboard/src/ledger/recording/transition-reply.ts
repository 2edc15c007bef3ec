import { changesIn } from '../history/adjustment';
import { BoardAnswers, mergedAnswer, type BoardAnswer } from './board-answers';
import type { Group } from './call-groups';
import type { Transition, TransitionOutcome, TransitionResult } from '../model/ledger.types';
import { mostShown } from '../periods/calendar';
import { refusalOf } from '../limits/limit-lines';
import { scripts } from '../../scripts/scripts.generated';

/** How judge-transitions.lua answers, by its codes. */
const codes = scripts.judgeTransitions.records.outcome;

/** The reply's codes as outcomes. */
const outcomeOf = {
  unjudged: null,
  granted: 'granted',
  revoked: 'revoked',
  duplicate: 'duplicate',
  limited: 'limited',
  notGranted: 'notGranted',
  outOfRange: 'rejected',
  closed: 'closed',
  refused: 'rejected',
  crowded: null,
} as const satisfies Record<(typeof codes)[number], TransitionOutcome | null>;

const outcomes: readonly (TransitionOutcome | null)[] = codes.map((code) => outcomeOf[code]);
const refusedCode = codes.indexOf('refused');

/** What it says of a frozen board. */
const frozenScore = -(2 ** 53);

/** A transition that the script judges, and the data that decodes its answer. */
export interface Planned {
  readonly index: number;
  readonly group: Group;
  readonly transition: Transition;
}

/** Why a transition was rejected. */
function reasonOf(code: number): string {
  return Math.abs(code) === refusedCode ? 'erased' : 'scoreOutOfRange';
}

/** The words for boards, where those on which it counted, and which are full, say so. */
function withFull(boards: BoardAnswer['boards'], full: readonly string[]): BoardAnswer['boards'] {
  const named = full.filter((label) => boards[label] === 'counted');
  if (named.length === 0) return boards;
  return { ...boards, ...Object.fromEntries(named.map((label) => [label, 'full'] as const)) };
}

/** Reads the replies of record-grants.lua and judge-transitions.lua. */
export class TransitionReply {
  /** The places of the ledgers and lists of revokes that have pages which the call did not name. */
  readonly crowded = new Set<number>();

  /** @param names the plan's. */
  constructor(
    private readonly groups: readonly Group[],
    private readonly names: readonly string[],
    private readonly nowMs: number,
  ) {}

  /** Writes the result of each planned transition to its index; a transition that the script left keeps null. */
  read(reply: unknown, planned: readonly Planned[], results: (TransitionResult | null)[]): void {
    const values = reply as readonly (number | string)[];
    // If boards were frozen or members excluded, the last item says so; other strings have no semicolon.
    const last = values.at(-1);
    const [frozen = '', excluded = ''] = typeof last === 'string' && last.includes(';') ? last.split(';') : [];
    this.readEach(values, this.answersWithout(frozen), planned, results);
    if (excluded === '') return;
    const members = new Set(excluded.split(',').map((place) => this.names[Number(place) - 1]));
    for (const { index, transition } of planned) {
      const result = results[index];
      if (result && members.has(transition.member)) results[index] = { ...result, excluded: true };
    }
  }

  private readEach(
    values: readonly (number | string)[],
    answers: (group: Group) => BoardAnswers,
    planned: readonly Planned[],
    results: (TransitionResult | null)[],
  ): void {
    let at = 0;
    for (const { index, group, transition } of planned) {
      if (at >= values.length) return;
      const code = Number(values[at++]);
      const outcome = outcomes[Math.abs(code)];
      const isAdjustment = transition.kind === 'adjust';
      let points = outcome === 'granted' && !isAdjustment ? transition.points : 0;
      let detail: number | string = 0;
      if (code < 0) {
        points = Number(values[at] ?? 0);
        detail = values[at + 1] ?? 0;
        at += 2;
      }
      const { open } = group;
      if (!outcome) {
        at += open.length;
        if (typeof detail === 'string') for (const place of detail.split(',')) this.crowded.add(Number(place));
        continue;
      }
      const scores: Record<string, number> = {};
      const full: string[] = [];
      for (const { board, label, score } of open) {
        const packed = values[at++] ?? 0;
        if (board.tallyOf != null || packed === frozenScore) continue;
        const points = Math.floor(Number(packed) / score.unit);
        const most = mostShown(board);
        if (points > most || points < -most) full.push(label);
        scores[label] = Math.min(Math.max(points, board.floor === null ? -most : 0), most);
      }
      if (isAdjustment) {
        const changes = typeof detail === 'string' ? changesIn(detail) : {};
        const boards = withFull(answers(group).of(outcome).boards, full);
        const reason = outcome === 'rejected' ? { reason: reasonOf(code) } : {};
        results[index] = { outcome, points, scores, boards, changes, ...reason };
        continue;
      }
      // The details of a refusal are a string too.
      const elsewhere = typeof detail === 'string' && outcome !== 'limited' ? detail : null;
      const { boards: words, late } =
        elsewhere !== null ? this.answerOf(elsewhere, answers) : answers(group).of(outcome);
      const boards = withFull(words, full);
      const result = late.length > 0 ? { outcome, points, scores, boards, late } : { outcome, points, scores, boards };
      if (outcome === 'rejected') {
        results[index] = { ...result, reason: reasonOf(code) };
      } else if (elsewhere !== null || detail === 0) {
        results[index] = result;
      } else {
        const refusal = refusalOf(detail, transition.limits ?? [], group.set.day.endMs);
        // The limit that refused it before may be gone.
        const reason = refusal ? { reason: refusal.limit, ...(outcome === 'limited' && { refusal }) } : {};
        results[index] = { ...result, ...reason };
      }
    }
  }

  /** The answers of a group's boards; `frozen` are the places of those that are closed though their time is not up. */
  private answersWithout(frozen: string): (group: Group) => BoardAnswers {
    if (frozen === '') return (group) => group.answers;
    const places = new Set(frozen.split(',').map(Number));
    const made = new Map<Group, BoardAnswers>();
    return (group) => {
      const open = group.open.filter((_, i) => !places.has(group.boardPlaces[i] as number));
      const answers = made.get(group) ?? new BoardAnswers(group.set, open, this.nowMs);
      made.set(group, answers);
      return answers;
    };
  }

  /**
   * The answer if several days, or other days, changed: `places` are the indexes of their groups, separated by commas.
   */
  private answerOf(places: string, answers: (group: Group) => BoardAnswers): BoardAnswer {
    return mergedAnswer(
      places.split(',').map((place) => answers(this.groups[Number(place) - 1] as Group).of('granted')),
    );
  }
}
