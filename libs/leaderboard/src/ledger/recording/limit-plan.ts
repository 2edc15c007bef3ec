import { randomBytes } from 'node:crypto';
import { recordOf } from '../../redis/record-of';
import { scripts } from '../../scripts/scripts.generated';
import { countersOf, namedCounters, type CountSet } from '../limits/counts';
import {
  givenTo,
  lineOf,
  ownKeysOf,
  windowKeyOf,
  type LedgerPlace,
  type PeriodLedgers,
  type SlidingLimit,
} from '../limits/limit-lines';
import type { PeriodSpec } from '../../time/period-spec';
import type { CalendarDay } from '../periods/calendar';
import type { FieldNames, Transition, TransitionLimit } from '../model/ledger.types';

/** A transition's limits in a plan: the index of their list, and the arguments of single limits in their order. */
export type LimitExtras = readonly [list: number, ...extras: unknown[]];

/** Where a call's keys lie. */
interface LimitKeys extends LedgerPlace {
  readonly fieldNames: FieldNames;
  /** Names another key of the call, and gives its place. */
  readonly place: (key: string) => number;
  /** The place of the list of keys that name a member by a text. */
  readonly listPlace: (text: string) => number;
  /** The ledgers of a member's other days of a limit's period. */
  readonly ledgersOf: (period: PeriodSpec, member: string, day: CalendarDay) => PeriodLedgers;
}

/** The texts by which a transition's field names members. */
export function textsOf({ names = none, namedAs = none }: Transition): string[] {
  return names.map((name, i) => namedAs[i] ?? name);
}

const none: readonly never[] = [];

/** The limits of one script call: lists that transitions share, and the keys that they need. */
export class LimitPlan {
  private readonly lists: unknown[][] = [];
  /** Of each list the counters that count grants under it. */
  private readonly countedBy: number[][] = [];
  private readonly listPlaces = new Map<readonly TransitionLimit[], Map<string, number>>();
  /** Keyed by content, as callers may make an equal list anew for each transition. */
  private readonly listPlacesByLines = new Map<string, number>();
  /** Transitions of one window share its key: the script reads and writes it once. */
  private readonly keyPlaces = new Map<string, number>();
  /** The windows' keys. */
  readonly windows: string[] = [];
  /** Of each window the places of the lists of keys that name those whom it names. */
  private readonly windowLists: number[][] = [];
  /** What limits the limited grants of today, one after the other. */
  readonly ofGrants: unknown[] = [];

  constructor(
    private readonly counts: CountSet,
    private readonly keys: LimitKeys,
    /** Whether caps of days bind whatever the order of arrival. */
    private readonly hasCaps: () => boolean,
  ) {}

  /** How a transition is limited; null where nothing limits it, and nobody counts it. */
  of(transition: Transition, day: CalendarDay): LimitExtras | null {
    const { limits = none, field, points } = transition;
    // What no limit counts: limits of all actions are of those that earn.
    if (points === 0 && limits.length === 0) return null;
    const counting = this.counts.digest === '' ? '' : countersOf(this.counts, field);
    if (limits.length > 0) return this.extrasOf(limits, counting, transition, day);
    return counting === '' ? null : [this.listPlace(none, counting)];
  }

  /** Whether nothing is limited or counted. */
  get isEmpty(): boolean {
    return this.counts.digest === '' && this.lists.length === 0;
  }

  /** As the script's plan has them; 0 where nothing limits or counts anything. */
  args(nowMs: number): readonly unknown[] | 0 {
    const { digest } = this.counts;
    if (this.isEmpty) return 0;
    const generation = digest === '' ? '' : `${nowMs.toString(36)}${randomBytes(3).toString('hex')}`;
    return recordOf(scripts.judgeTransitions.records.limits, {
      digest,
      generation,
      counters: namedCounters(this.counts, this.keys.fieldNames),
      caps: this.hasCaps() ? this.counts.caps : this.counts.caps.map(() => 0),
      lists: this.lists,
      countedBy: this.countedBy,
      windowCount: this.windows.length,
      windowLists: this.windowLists,
      ofGrants: this.ofGrants,
    });
  }

  private extrasOf(
    limits: readonly TransitionLimit[],
    counting: string,
    transition: Transition,
    day: CalendarDay,
  ): LimitExtras {
    const extras: [number, ...unknown[]] = [this.listPlace(limits, counting)];
    let own = 0;
    for (const limit of limits) {
      if (limit.type === 'daily') {
        if (limit.period) extras.push(this.keys.ledgersOf(limit.period, transition.member, day));
      } else if (limit.type === 'sliding') extras.push(this.windowPlace(limit, transition));
      else extras.push(this.ownExtras(limit.name, transition, own++));
    }
    return extras;
  }

  /** The keys of a transition's custom limits. */
  ownKeysOf({ member, limits = none, prepared = none }: Transition): string[] {
    const own = limits.filter(({ type }) => type === 'own');
    return own.flatMap(({ name }, i) => ownKeysOf(name, member, prepared[i] ?? { keys: [], args: [] }, this.keys));
  }

  /** The place of a list of limits for grants that these counters count. */
  private listPlace(limits: readonly TransitionLimit[], counting: string): number {
    let places = this.listPlaces.get(limits);
    if (!places) this.listPlaces.set(limits, (places = new Map<string, number>()));
    let place = places.get(counting);
    if (place === undefined) {
      const lines = limits.map((limit) => lineOf(limit, this.counts));
      const told = JSON.stringify([lines, counting]);
      place = this.listPlacesByLines.get(told);
      if (place === undefined) {
        place = this.lists.push(lines);
        this.countedBy.push(counting === '' ? [] : counting.split(',').map(Number));
        this.listPlacesByLines.set(told, place);
      }
      places.set(counting, place);
    }
    return place;
  }

  /** 0 where the limit does not apply. */
  private windowPlace(limit: SlidingLimit, transition: Transition): number {
    const key = windowKeyOf(limit, transition, this.keys);
    if (key === null) return 0;
    return this.placeOf(key, (name) => {
      const texts = [transition.member];
      if (limit.per === 'field') texts.push(...textsOf(transition));
      if (limit.per === 'pair' && transition.counterpart !== undefined) texts.push(transition.counterpart);
      this.windowLists.push(texts.map((text) => this.keys.listPlace(text)));
      return this.windows.push(name);
    });
  }

  private ownExtras(name: string, { member, field, prepared = [] }: Transition, index: number): readonly unknown[] {
    const given = prepared[index] ?? { keys: [], args: [] };
    const own = ownKeysOf(name, member, given, this.keys).map((key) => this.placeOf(key, this.keys.place));
    return givenTo(own, given, field);
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
