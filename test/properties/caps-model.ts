import { Period, type LedgerBoard, type Transition } from '@laurel/leaderboard';
import type { LedgerCount } from '@laurel/leaderboard/internals';

/** A daily limit of all fields that it counts. */
export interface Cap extends LedgerCount {
  readonly name: string;
  readonly max: number;
}

interface Moment {
  readonly ms: number;
  readonly sequence: number;
}

/** When a field may come to hold its place, and until when it holds it. */
interface Try extends Moment {
  readonly field: string;
  readonly points: number;
  readonly ends: Moment | null;
  /** Of a field that was not refused before, it is none. */
  readonly isRetry: boolean;
  /** Whether the field stands from it on. */
  readonly isLast: boolean;
}

interface Held {
  readonly field: string;
  readonly given: number;
  readonly ends: Moment | null;
}

const compare = (a: Moment, b: Moment): number => a.ms - b.ms || a.sequence - b.sequence;
const earliest = <T extends Moment>(all: readonly T[]): T | undefined => [...all].sort(compare)[0];
const latest = <T extends Moment>(all: readonly T[]): T | undefined => [...all].sort(compare).at(-1);

/** What caps of days make of a set of transitions, none of them in an order: from all of it at once. */
export class CapsModel {
  constructor(
    private readonly caps: readonly Cap[],
    private readonly boards: readonly LedgerBoard[],
    private readonly beginnings: Readonly<Record<string, readonly string[]>>,
  ) {}

  /** By board, period and member, the points and since when they stand. */
  standings(set: readonly Transition[]): Record<string, [points: number, reachedAtMs: number]> {
    const found: Record<string, [number, number]> = {};
    for (const member of new Set(set.map((one) => one.member))) {
      const own = set.filter((one) => one.member === member);
      for (const day of new Set(own.map(({ occurredAtMs }) => dayOf(occurredAtMs)))) {
        for (const [field, { points, sinceMs }] of this.judge(own, day)) {
          for (const { name, period, tallyOf } of this.boards) {
            if (!(this.beginnings[name] ?? ['']).some((beginning) => field.startsWith(beginning))) continue;
            const id = `${name} ${Period.of(period, new Date(sinceMs), 'UTC').key} ${member}`;
            const [others, reachedAtMs] = found[id] ?? [0, 0];
            found[id] = [others + (tallyOf == null ? points : 1), Math.max(reachedAtMs, sinceMs)];
          }
        }
      }
    }
    return found;
  }

  /** What stands of a member's day. */
  private judge(own: readonly Transition[], day: string): Map<string, { points: number; sinceMs: number }> {
    const tries = [...new Set(own.map(({ field }) => field))].flatMap((field) =>
      triesOf(
        own.filter((one) => one.field === field),
        day,
      ),
    );
    tries.sort(
      (a, b) =>
        compare(a, b) || (a.field < b.field ? -1 : a.field > b.field ? 1 : Number(a.isRetry) - Number(b.isRetry)),
    );
    let held: Held[] = [];
    const standing = new Map<string, { points: number; sinceMs: number }>();
    for (const one of tries) {
      if (one.isRetry && held.some(({ field }) => field === one.field)) continue;
      held = held.filter(({ ends }) => ends === null || compare(ends, one) > 0);
      const given = this.given(one, held);
      if (given === null) continue;
      held.push({ field: one.field, given, ends: one.ends });
      if (one.isLast) standing.set(one.field, { points: given, sinceMs: one.ms });
    }
    return standing;
  }

  /** The points that caps leave; null: none. */
  private given({ field, points }: Try, held: readonly Held[]): number | null {
    let given = points;
    for (const { of, fieldPrefixes, max } of this.caps) {
      const isCounted = (name: string) => fieldPrefixes.some((prefix) => name.startsWith(prefix));
      if (!isCounted(field)) continue;
      const counted = held.filter((one) => isCounted(one.field));
      const used = of === 'points' ? counted.reduce((sum, one) => sum + one.given, 0) : counted.length;
      if (used >= max) return null;
      if (of === 'points') given = Math.min(given, max - used);
    }
    return given;
  }
}

function triesOf(own: readonly Transition[], day: string): Try[] {
  const moments = own.map((one) => ({ ...one, ms: one.occurredAtMs, sequence: one.sequence ?? 0 }));
  const grants = moments.filter(({ kind, ms }) => kind === 'grant' && dayOf(ms) === day);
  const revokes = moments.filter(({ kind }) => kind === 'revoke');
  const ofDay = revokes.filter(({ ms, grantedAtMs }) => dayOf(grantedAtMs ?? ms) === day);
  const isEndedLater = revokes.some(({ ms, grantedAtMs }) => grantedAtMs === undefined && dayOf(ms) > day);
  const [first, last, revoked] = [earliest(grants), latest(grants), latest(ofDay)];
  if (!first || !last) return [];
  const { field, points } = first;
  const at = ({ ms, sequence }: Moment, ends: Moment | null, isRetry: boolean, isLast: boolean): Try => ({
    ...{ ms, sequence, field, points, ends, isRetry, isLast: isLast && !isEndedLater },
  });
  if (!revoked || compare(first, revoked) > 0) {
    return [at(first, null, false, true), ...(compare(last, first) > 0 ? [at(last, null, true, true)] : [])];
  }
  if (compare(last, revoked) > 0) return [at(first, revoked, false, false), at(last, null, false, true)];
  return [at(last, revoked, false, false)];
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
