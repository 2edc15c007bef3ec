import { Period, type Ledger, type LedgerOptions, type PeriodSpec, type Transition } from '@laurel/leaderboard';
import { isAdjustmentField } from '@laurel/leaderboard/internals';
import { countedDays, join, nothing, tried, type Almanac, type DayField, type Fact } from '../support/facts';

type Laws = NonNullable<LedgerOptions['laws']>;

/** What a field of a member comes to on a day. */
interface Worth {
  readonly member: string;
  readonly name: string;
  readonly day: number;
  readonly points: number;
  readonly sinceMs: number;
  /** When it was given: of adjustments that take points, too. */
  readonly atMs: number;
  /** Left out of adjustments that name none: they count whatever a board counts. */
  readonly parts?: NonNullable<Transition['partitions']>;
}

/** What a member has on a board. */
interface Sum {
  readonly points: number;
  readonly sinceMs: number;
  readonly score: ReturnType<Ledger['periods']['boardPeriod']>['score'];
}

/** What a set of transitions is worth by the law of points, as its page says it: no order, no Redis, no clock. */
export class FactsModel {
  private readonly days = new Map<number, number>();

  constructor(
    private readonly laws: Laws,
    private readonly timezone: string,
  ) {}

  /** Every field that counts, on each of its days, and what owners are given for it. */
  worths(set: readonly Transition[]): Worth[] {
    return [...new Set(set.map(({ member }) => member))].flatMap((member) =>
      this.worthsOf(
        member,
        set.filter((one) => one.member === member),
      ),
    );
  }

  /** What each member has on each board, by `board:period member`. */
  sums(set: readonly Transition[], { settings: { boards }, periods }: Ledger): Record<string, Sum> {
    const sums: Record<string, Sum> = {};
    for (const { member, name, day, points, sinceMs, atMs, parts } of this.worths(set)) {
      const named = this.laws.of(name, 1).boards;
      for (const { name: board, period: kind, tallyOf = null, where = [] } of boards) {
        const worth = tallyOf === null ? points : 1;
        if (worth === 0 || !(named ? named.includes(board) : tallyOf === null)) continue;
        const part = (key: string) => parts?.[key] ?? '';
        const isWanted = where.every(({ partition, only = [part(partition)] }) => only.includes(part(partition)));
        const isUnwanted = where.some(({ partition, except }) => except?.includes(part(partition)));
        if (parts && (!isWanted || isUnwanted)) continue;
        const period = kind === 'hour' ? this.hour(day, atMs) : this.period(kind, day);
        const id = `${board}:${period.key} ${member}`;
        const { score } = periods.boardPeriod(board, period, null);
        const sum = sums[id] ?? { points: 0, sinceMs: 0, score };
        sums[id] = { score, points: sum.points + worth, sinceMs: Math.max(sum.sinceMs, sinceMs) };
      }
    }
    return sums;
  }

  /** The entries of all boards, as their sorted sets have them. */
  entries(set: readonly Transition[], ledger: Ledger): Record<string, number> {
    return Object.fromEntries(
      Object.entries(this.sums(set, ledger)).map(
        ([
          id,
          {
            points,
            sinceMs,
            score: { unit, originMs, endMs, tickMs },
          },
        ]) => {
          const elapsed = Math.floor((Math.min(Math.max(sinceMs, originMs), endMs - 1) - originMs) / tickMs);
          return [id, points * unit + unit - 1 - elapsed];
        },
      ),
    );
  }

  private worthsOf(member: string, set: readonly Transition[]): Worth[] {
    const fields = new Map<string, { day: number | null; name: string; fact: Fact }>();
    const owners = new Map<string, string>();
    const revokes = new Map<string, number[]>();
    const hear = (day: number | null, name: string, heard: Partial<Fact>) => {
      const id = `${day} ${name}`;
      const known = fields.get(id)?.fact ?? nothing;
      fields.set(id, { day, name, fact: join(known, { ...nothing, ...heard }) });
    };
    const dayOfId = new Map(
      set.flatMap(({ kind, id, occurredAtMs }) => (id && kind === 'grant' ? [[id, this.dayOf(occurredAtMs)]] : [])),
    );
    const worths: Worth[] = [];
    const adjusted = new Set<string>();
    const released = new Set(set.flatMap(({ kind, id }) => (kind === 'release' ? [id] : [])));
    const holds = set.filter(({ kind, id }) => kind === 'hold' && !released.has(id));
    const isHeld = (name: string, on: number, sinceMs: number) =>
      holds.some(({ field, occurredAtMs: fromMs, grantedAtMs: ms }) =>
        ms === undefined
          ? name.startsWith(field) && sinceMs >= fromMs
          : name === field && (on === this.dayOf(ms) || this.laws.of(name, 1).once === Infinity),
      );
    for (const one of set) {
      const { kind, field: name, points, occurredAtMs: ms, sequence = 0, version = 1, grantedAtMs, gift, id } = one;
      const { partitions: parts = null } = one;
      const isForEver = this.laws.of(name, version).once === Infinity;
      if (kind === 'hold' || kind === 'release') continue;
      if (kind === 'adjust') {
        const day = this.dayOf(grantedAtMs ?? ms);
        // Losing points costs nobody an earlier moment.
        if (!adjusted.has(name))
          worths.push({ member, name, day, points, sinceMs: points > 0 ? ms : 0, atMs: ms, ...(parts && { parts }) });
        adjusted.add(name);
      } else if (kind === 'grant') {
        const grant = { ms, sequence, points, version, gift: gift?.points ?? null };
        const owner = one.counterpart ?? gift?.member ?? null;
        hear(isForEver ? null : this.dayOf(ms), name, { first: grant, last: grant, owner, parts });
        if (gift) owners.set(name, gift.member);
      } else if (id !== undefined) {
        const day = dayOfId.get(id);
        if (day !== undefined) hear(day, name, { revoke: { ms, sequence } });
      } else {
        hear(isForEver ? null : this.dayOf(grantedAtMs ?? ms), name, { revoke: { ms, sequence } });
        if (grantedAtMs === undefined && !isForEver) revokes.set(name, [...(revokes.get(name) ?? []), this.dayOf(ms)]);
      }
    }
    const dated = [...fields.values()].flatMap(({ day, name, fact }): DayField[] => {
      if (!fact.first) return [];
      return [{ day: day ?? this.dayOf(fact.first.ms), name, fact }];
    });
    const found = [...tried(dated, this.laws, this.almanac).found].filter(([, { since }]) => since);
    for (const name of new Set(found.map(([of]) => of.name))) {
      const own = found.filter(([of]) => of.name === name);
      const standing = own.map(([{ day, fact }, verdict]) => ({ day, fact, verdict }));
      const { once } = this.laws.of(name, 1);
      standing.sort((a, b) => a.day - b.day);
      for (const [day, { points, sinceMs }] of countedDays(standing, revokes.get(name) ?? [], once)) {
        if (isHeld(name, day, sinceMs)) continue;
        const { fact, verdict } = standing.find((one) => one.day === day) ?? {};
        const parts = fact?.parts ?? {};
        worths.push({ member, name, day, points, sinceMs, atMs: sinceMs, parts });
        const [owner, since] = [owners.get(name), verdict?.since];
        if (owner !== undefined && since?.gift != null)
          worths.push({ member: owner, name: `gift:${name}`, day, points: since.gift, sinceMs, atMs: sinceMs, parts });
      }
    }
    return worths;
  }

  private readonly almanac: Almanac = {
    subjectOf: (name) => name,
    spanOf: ({ period = 'day' }, day) => {
      const { key, end } = this.period(period, day);
      return { key, endMs: end?.getTime() ?? Infinity };
    },
  };

  /** The days since 1970 of the day of a moment, in the zone. */
  private dayOf(ms: number): number {
    const day = this.days.get(ms) ?? Date.parse(Period.of('day', new Date(ms), this.timezone).key) / 86_400_000;
    this.days.set(ms, day);
    return day;
  }

  /** What stands since a moment of another day is of the day's first hour, or of its last. */
  private hour(day: number, ms: number): Period {
    const { start, end } = this.period('day', day);
    const within = Math.min(Math.max(ms, start.getTime()), (end?.getTime() ?? Infinity) - 1);
    return Period.of('hour', new Date(within), this.timezone);
  }

  private period(kind: PeriodSpec, day: number): Period {
    const date = new Date(day * 86_400_000).toISOString().slice(0, 10);
    return Period.of(kind, Period.parse('day', date, this.timezone).start, this.timezone);
  }
}

/** The points of a member's own fields together, without what others gave. */
export function ownPoints(worths: readonly Worth[], member: string): number {
  const own = worths.filter(
    (one) => one.member === member && (isAdjustmentField(one.name) || !one.name.startsWith('gift:')),
  );
  return own.reduce((sum, { points }) => sum + points, 0);
}
