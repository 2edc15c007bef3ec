import { keys } from '../../keys/keys';
import {
  entered,
  expectedOf,
  type BoardPeriod,
  type CommitCommand,
  type ExpectedEntry,
  type Judging,
  type MemberLedger,
  type View,
} from '../../ledger';
import type { AuditedPeriod, AuditPeriods } from './audit-periods';
import type { AuditFault } from './audit.types';

/** Something that is not what a member's facts say. */
export interface Finding {
  readonly fault: AuditFault;
  /** Null: of a first day. */
  readonly at: { readonly audited: AuditedPeriod; readonly set: BoardPeriod } | null;
  readonly expected: number;
  readonly found: number | null;
  /** What heals it. */
  readonly commands: readonly CommitCommand[];
}

/** What was seen of one member: of how many days there are facts, how many entries were compared, or missing. */
export type MemberLook = ReturnType<typeof lookAt>;

/** The members and boards to compare. */
interface LookOptions {
  readonly periods: AuditPeriods;
  /** The first day that may be known as a first day; null: they are not kept. */
  readonly firstDaysFrom: number | null;
  /** A board on which an entry was met: that alone is compared, and only where no fact counts on it. */
  readonly only: BoardPeriod | null;
}

/** A score beyond which doubles leave out numbers. */
const mostExact = 2 ** 53;

/**
 * Compares what a member has with what the facts say. Throws as {@link MemberLedger} does where something is not read.
 */
export function lookAt(ledger: MemberLedger, { periods, firstDaysFrom, only }: LookOptions) {
  const { view, member, judging } = ledger;
  const { settings, tag, shard } = judging;
  const { prefix } = settings;
  const excludedKey = keys.excluded(prefix, tag);
  const firstDays = firstDaysFrom !== null && only === null ? keys.firstDays(prefix, tag) : null;
  view.scores.want(excludedKey);
  view.marks.want(keys.erased(prefix, tag));
  if (firstDays !== null) view.scores.want(firstDays);
  const { entries, days, grantDays } = expectedOf(ledger);
  const sets = only ? [only] : setsOf(entries, days, judging);
  const asked = sets.flatMap((set) => {
    const audited = periods.of(set.board, set.period);
    return audited && !(only && entries.has(set.keys[0] as string)) ? [{ audited, set }] : [];
  });
  for (const { set } of asked) {
    view.marks.want(set.frozenKeys[shard] as string);
    for (const key of [set.keys, set.asideKeys]) view.scores.want(key[shard] as string);
  }
  const isAside = view.scores.of(excludedKey) === '1';
  let compared = 0;
  const findings = asked.flatMap(({ audited, set }): Finding[] => {
    if (view.marks.of(set.frozenKeys[shard] as string)) return [];
    periods.seen.add(audited);
    const [shown, aside] = [set.keys[shard] as string, set.asideKeys[shard] as string];
    const own = isAside ? [aside, shown] : [shown, aside];
    const expected = entries.get(set.keys[0] as string) ?? null;
    const scores = own.map((key) => scoreIn(view, key));
    if (expected || scores.some((score) => score !== null)) compared += 1;
    const isFounded = days.some((day) => day >= audited.firstDay && day <= audited.lastDay);
    const found = compare(audited, set, expected, scores, isFounded);
    if (!found) return [];
    const { wanted, ...finding } = found;
    const text = wanted === null ? null : String(wanted);
    return [
      {
        ...finding,
        at: { audited, set },
        commands: own.flatMap((key, i) => entered({ member, key, score: i === 0 ? text : null }, set, shard)),
      },
    ];
  });
  const firstDay = firstDays === null ? undefined : grantDays.find((day) => day >= (firstDaysFrom as number));
  if (firstDays !== null && firstDay !== undefined) {
    const found = scoreIn(view, firstDays);
    if (found === null || found > firstDay)
      findings.push({
        ...{ fault: 'firstDay', at: null, expected: firstDay, found },
        commands: [['ZADD', firstDays, 'LT', firstDay, member]],
      });
  }
  return { ...{ view, judging }, ledgers: days.length, entries: compared, findings };
}

/** The sets on which the member should stand, and the boards without parts of every day that has facts. */
function setsOf(
  entries: ReadonlyMap<string, ExpectedEntry>,
  days: readonly number[],
  { calendar, settings }: Judging,
): BoardPeriod[] {
  const sets = new Map([...entries].map(([key, { period }]) => [key, period]));
  for (const number of days) {
    const day = calendar.dayNumbered(number);
    for (const set of day ? calendar.boardsOf(day, day.startMs, settings.boardNames).periods : [])
      sets.set(set.keys[0] as string, set);
  }
  return [...sets.values()];
}

/** What is wrong with an entry, and its right score. @param scores of its own place, and of the other one. */
function compare(
  { comparison }: AuditedPeriod,
  set: BoardPeriod,
  expected: ExpectedEntry | null,
  [own = null, other = null]: readonly (number | null)[],
  isFounded: boolean,
): { fault: AuditFault; wanted: number | null; expected: number; found: number | null } | null {
  const packed = set.score;
  const found = own ?? other;
  const [asked, has] = [expected?.points ?? 0, packed.points(found ?? 0)];
  const isLeft =
    (comparison === 'atLeast' && has >= asked && (found !== null || !expected)) ||
    (comparison === 'atMost' && has <= asked && (found === null || expected !== null));
  const right = expected && packed.sumAt(asked, packed.tickOf(expected.sinceMs));
  const wanted = isLeft ? found : right;
  const about = { wanted, expected: asked, found: found === null ? null : has };
  if (own !== null && other !== null) return { fault: 'twice', ...about };
  if (found === null && wanted === null) return null;
  if (found === null || wanted === null || has !== packed.points(wanted)) {
    return { fault: wanted === null && !isFounded ? 'unfounded' : 'points', ...about };
  }
  if (own === null) return { fault: 'misplaced', ...about };
  // Beyond 2^53 a time loses its last bits, at each move anew.
  const most = Math.max(Math.abs(wanted), Math.abs(found));
  const isCoarse = most >= mostExact && Math.abs(wanted - found) <= (4 * most) / mostExact;
  if (wanted === found || isCoarse) return null;
  return { fault: 'time', wanted, expected: packed.reachedAtMs(wanted), found: packed.reachedAtMs(found) };
}

function scoreIn(view: View, key: string): number | null {
  const score = view.scores.of(key);
  return score === null ? null : Number(score);
}
