import { randomBytes } from 'node:crypto';
import { keys } from '../../keys/keys';
import { recordOf } from '../../redis/record-of';
import { scripts } from '../../scripts/scripts.generated';
import { isCounted, placeOfCount, type CountSet } from '../limits/counts';
import type { LimitRefusal, PreparedLimit, Transition, TransitionLimit } from '../model/ledger.types';

/** What a transition's limits are given as: their list's place, and what single limits of it need, in their order. */
export type LimitExtras = readonly [list: number, ...extras: unknown[]];

/** What scripts call limits; see include/limits.lua. */
const { records } = scripts.readQuota;
const kindOf = (kind: (typeof records.kind)[number]) => records.kind.indexOf(kind) + 1;

/** What all keys of a member begin with. */
interface LedgerPlace {
  readonly prefix: string;
  readonly tag: string;
}

type SlidingLimit = Extract<TransitionLimit, { type: 'sliding' }>;

/** Where a call's keys lie. */
interface LimitKeys extends LedgerPlace {
  /** Names another key of the call, and gives its place. */
  readonly place: (key: string) => number;
}

/** How long a window of which a member has few is kept at least. */
const longKeepMs = 3_600_000;

const none: readonly TransitionLimit[] = [];

/** The limits of one script call: lists that transitions share, and the keys that they need. */
export class LimitPlan {
  private readonly lists: unknown[][] = [];
  private readonly listPlaces = new Map<readonly TransitionLimit[], number>();
  /** By what the script is told of them: lists that are made anew each time are one. */
  private readonly listPlacesByLines = new Map<string, number>();
  /** Transitions of one window share its key: the script reads and writes it once. */
  private readonly keyPlaces = new Map<string, number>();
  /** The windows' keys. */
  readonly windows: string[] = [];

  constructor(
    private readonly counts: CountSet,
    private readonly keys: LimitKeys,
  ) {}

  /** How a transition is limited; null where nothing limits it, and nobody counts it. */
  of(transition: Transition): LimitExtras | null {
    const { limits = none, field, points } = transition;
    // A grant of no points takes no place in any.
    if (points === 0) return null;
    if (limits.length > 0) return this.extrasOf(limits, transition);
    return this.counts.digest !== '' && isCounted(this.counts, field) ? [this.listPlace(none)] : null;
  }

  /** Whether nothing is limited or counted. */
  get isEmpty(): boolean {
    return this.counts.digest === '' && this.lists.length === 0;
  }

  /** As the script's plan has them; 0 where nothing limits or counts anything. */
  args(nowMs: number): readonly unknown[] | 0 {
    const { digest, counters } = this.counts;
    if (this.isEmpty) return 0;
    const generation = digest === '' ? '' : `${nowMs.toString(36)}${randomBytes(3).toString('hex')}`;
    return recordOf(scripts.judgeTransitions.records.limits, {
      digest,
      generation,
      counters,
      lists: this.lists,
      windowCount: this.windows.length,
    });
  }

  private extrasOf(limits: readonly TransitionLimit[], transition: Transition): LimitExtras {
    const extras: [number, ...unknown[]] = [this.listPlace(limits)];
    let own = 0;
    for (const limit of limits) {
      if (limit.type === 'daily') continue;
      if (limit.type === 'sliding') extras.push(this.windowPlace(limit, transition));
      else extras.push(this.ownExtras(limit.name, transition, own++));
    }
    return extras;
  }

  private listPlace(limits: readonly TransitionLimit[]): number {
    let place = this.listPlaces.get(limits);
    if (place === undefined) {
      const lines = limits.map((limit) => lineOf(limit, this.counts));
      const told = JSON.stringify(lines);
      place = this.listPlacesByLines.get(told) ?? this.lists.push(lines);
      this.listPlacesByLines.set(told, place);
      this.listPlaces.set(limits, place);
    }
    return place;
  }

  /** 0 where the limit does not apply. */
  private windowPlace(limit: SlidingLimit, transition: Transition): number {
    const key = windowKeyOf(limit, transition, this.keys);
    return key === null ? 0 : this.placeOf(key, (name) => this.windows.push(name));
  }

  private ownExtras(name: string, { member, prepared = [] }: Transition, index: number): readonly unknown[] {
    const given = prepared[index] ?? { keys: [], args: [] };
    const own = ownKeysOf(name, member, given, this.keys).map((key) => this.placeOf(key, this.keys.place));
    return givenTo(own, given);
  }

  private placeOf(key: string, place: (key: string) => number): number {
    let known = this.keyPlaces.get(key);
    if (known === undefined) {
      known = place(key);
      this.keyPlaces.set(key, known);
    }
    return known;
  }
}

/** What only a question for what is left of a limit needs: the number of its window, or a custom limit's keys and arguments. */
export interface LimitQuestion {
  readonly window?: number;
  readonly given?: readonly unknown[];
}

/** A limit as scripts read it. */
export function lineOf(
  limit: TransitionLimit,
  counts: CountSet,
  { window = 0, given = [] }: LimitQuestion = {},
): readonly unknown[] {
  if (limit.type === 'daily') {
    return recordOf(records.daily, {
      kind: kindOf('daily'),
      max: limit.max,
      counter: placeOfCount(counts, limit.count),
    });
  }
  if (limit.type === 'own') return recordOf(records.custom, { kind: kindOf('custom'), type: limit.kind, given });
  // A window that is kept for longer need not be renewed so often; those of single fields are too many for that.
  const keepMs = Math.max(4 * limit.windowMs, limit.per === 'field' ? 0 : longKeepMs);
  const { max, windowMs } = limit;
  return recordOf(records.sliding, { kind: kindOf('sliding'), max, windowMs, keepMs, window });
}

/** What a custom limit is given of one grant: the positions of its keys, and its arguments. */
export function givenTo(positions: readonly number[], { args }: PreparedLimit): readonly unknown[] {
  return recordOf(records.given, { keys: positions, args });
}

/** The key of a window; null where the limit does not apply. */
export function windowKeyOf(
  { name, per }: SlidingLimit,
  { member, field, counterpart }: Pick<Transition, 'member' | 'counterpart'> & { readonly field?: string },
  { prefix, tag }: LedgerPlace,
): string | null {
  const of = per === 'member' ? '' : per === 'field' ? field : counterpart;
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

/** A moment as a script says it; null where it is none that a date can be of: a limit of the caller's own says anything. */
export function toldMoment(text: string): number | null {
  const ms = Number(text);
  return Number.isNaN(new Date(ms).getTime()) ? null : ms;
}

/**
 * What a script says of a refusal: the limit's number, and behind a comma the first moment at which it would allow the
 * grant, or `!` and what failed in it.
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
  return { limit: limit.name, allowedAgainAtMs: limit.type === 'daily' && Number.isFinite(dayEndMs) ? dayEndMs : null };
}
