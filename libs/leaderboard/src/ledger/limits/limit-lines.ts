import { keys } from '../../keys/keys';
import { recordOf } from '../../redis/record-of';
import { scripts } from '../../scripts/scripts.generated';
import { placeOfCount, type CountSet } from './counts';
import type { LimitRefusal, PreparedLimit, Transition, TransitionLimit } from '../model/ledger.types';

/** The names of limits in scripts; see include/limits.lua. */
const { records } = scripts.readQuota;
const kindOf = (kind: (typeof records.kind)[number]) => records.kind.indexOf(kind) + 1;

/** What all keys of a member begin with. */
export interface LedgerPlace {
  readonly prefix: string;
  readonly tag: string;
}

/** A sliding window. */
export type SlidingLimit = Extract<TransitionLimit, { type: 'sliding' }>;

/** How long a window of which a member has few is kept at least. */
const longKeepMs = 3_600_000;

/** Needed only to ask for a quota: the number of the limit's window, or a custom limit's keys and arguments. */
export interface LimitQuestion {
  readonly window?: number;
  readonly given?: readonly unknown[];
  /** As {@link PeriodLedgers}. */
  readonly span?: PeriodLedgers;
}

/** When a limit's period ends, and the positions of the ledgers of its other days; 0: it is no day's of that limit. */
export type PeriodLedgers = readonly number[] | 0;

/** A limit as scripts read it. */
export function lineOf(
  limit: TransitionLimit,
  counts: CountSet,
  { window = 0, given = [], span = 0 }: LimitQuestion = {},
): readonly unknown[] {
  if (limit.type === 'daily') {
    return recordOf(records.daily, {
      kind: kindOf(limit.period ? 'period' : 'daily'),
      max: limit.max,
      counter: placeOfCount(counts, limit.count),
      span,
    });
  }
  if (limit.type === 'own') return recordOf(records.custom, { kind: kindOf('custom'), type: limit.kind, given });
  // A window that is kept for longer need not be renewed so often; those of single fields are too many for that.
  const keepMs = Math.max(4 * limit.windowMs, limit.per === 'field' ? 0 : longKeepMs);
  const { max, windowMs } = limit;
  return recordOf(records.sliding, { kind: kindOf('sliding'), max, windowMs, keepMs, window });
}

/** What a custom limit is given of one grant: its keys' positions, its arguments and, if asked to judge, the field. */
export function givenTo(positions: readonly number[], { args }: PreparedLimit, field = ''): readonly unknown[] {
  return recordOf(records.given, { keys: positions, args, field });
}

/** The key of a window; null where the limit does not apply. */
export function windowKeyOf(
  { name, per }: SlidingLimit,
  {
    member,
    field,
    limitedAs = field,
    counterpart,
  }: Pick<Transition, 'member' | 'limitedAs' | 'counterpart'> & {
    readonly field?: string;
  },
  { prefix, tag }: LedgerPlace,
): string | null {
  const of = per === 'member' ? '' : per === 'field' ? limitedAs : counterpart;
  return of === undefined ? null : keys.window(prefix, tag, name, per, member, of);
}

/** The keys of a limit of the caller's own. */
export function ownKeysOf(
  name: string,
  member: string,
  { keys: own }: PreparedLimit,
  { prefix, tag }: LedgerPlace,
): string[] {
  return own.map((key) => keys.ownLimit(prefix, tag, name, member, key));
}

/** A moment of a script's reply; null if no date can hold it: a custom limit may return anything. */
export function toldMoment(text: string): number | null {
  const ms = Number(text);
  return Number.isNaN(new Date(ms).getTime()) ? null : ms;
}

/**
 * A refusal in a script's reply: the limit's number, and behind a comma the first moment at which it would allow the
 * grant, or `!` and the error of a custom limit.
 * @param dayEndMs of the transition's day.
 */
export function refusalOf(
  detail: number | string,
  limits: readonly TransitionLimit[],
  dayEndMs: number,
): LimitRefusal | null {
  const text = String(detail);
  const comma = text.indexOf(',');
  const limit = limits[Number(comma < 0 ? text : text.slice(0, comma)) - 1];
  if (!limit) return null;
  const more = comma < 0 ? '' : text.slice(comma + 1);
  if (more.startsWith('!')) return { limit: limit.name, allowedAgainAtMs: null, fault: more.slice(1) };
  if (more !== '') return { limit: limit.name, allowedAgainAtMs: toldMoment(more) };
  const endsWithDay = limit.type === 'daily' && !limit.period && Number.isFinite(dayEndMs);
  return { limit: limit.name, allowedAgainAtMs: endsWithDay ? dayEndMs : null };
}
