import { keys, nameInShard } from '../../keys/keys';
import { coldKeys, type HashFields, type Ledger, longValue, placeOfLedger, thawed } from '../../ledger';
import type { RedisClient } from '../../redis/run';
import { scanKeys } from '../../redis/scan';
import { unavailable } from '../../errors/errors';
import { served } from '../../redis/served';
import { dayNumber } from '../../time/days';
import type { AuditedPeriod } from './audit-periods';
import { worthOf } from './worth';

/** What lies outside Redis of the ledgers that an entry is the sum of. */
export interface ColdSum {
  readonly points: number;
  /** The latest moment that stands; null: none does. */
  readonly latestMs: number | null;
}

/** A member's ledgers before the days whose ledgers are all in Redis. */
export interface OldLedgers {
  /** The days of those in Redis. */
  readonly hot: readonly number[];
  /** The days of those in the store alone, which an audit adds up itself. */
  readonly cold: readonly number[];
  /** Of each period what those in the store add up to. */
  readonly sums: readonly ColdSum[];
  /** So many of the member's ledgers were wanted in Redis since the audit began: with more, this is out of date. */
  readonly wanted: number;
}

/** The most old ledgers in Redis that an audit keeps in mind. */
const maxResident = 500_000;
/** Days whose ledgers may still be in Redis if those who move them are late. */
const lateDays = 3;

/**
 * The ledgers that an audit of long boards needs and that are not in Redis: read where they lie, so nothing comes back,
 * and none of them is in memory longer than its member.
 */
export class ColdAudit {
  /** The first day whose ledgers are all in Redis, or are looked for there. */
  readonly firstHotDay: number;
  private readonly sinceMs: number;
  private readonly resident = new Map<string, Set<number>>();

  constructor(
    private readonly redis: RedisClient,
    private readonly ledger: Ledger,
  ) {
    const { settings, cold, periods } = ledger;
    this.sinceMs = settings.clock.now() - 60_000;
    const keptMs = (settings.ledgerRetentionMs ?? 0) - 2 * settings.clockSkewMs;
    const oldest = periods.dayOf(Math.max(0, settings.clock.now() - keptMs));
    // What is kept for good in Redis waits for nothing.
    const moves = cold.isOn && settings.ledgerRetentionMs !== null;
    this.firstHotDay = moves ? dayNumber(oldest.key) - lateDays : 0;
  }

  get isOn(): boolean {
    return this.ledger.cold.isOn;
  }

  /** Whether a period has days of which ledgers may have left Redis. */
  reachesBack({ firstDay }: Pick<AuditedPeriod, 'firstDay'>): boolean {
    return this.isOn && firstDay < this.firstHotDay;
  }

  /** Finds the old ledgers that are in Redis: looks at every key. */
  async begin(): Promise<void> {
    if (!this.isOn) return;
    const { prefix, tags } = this.ledger.settings;
    let found = 0;
    for await (const page of scanKeys(this.redis, `{${prefix}:*}:ledger:*`)) {
      for (const key of page) {
        const place = placeOfLedger(nameInShard({ prefix, tags: new Set(tags) }, key)?.name ?? '');
        if (place && place.day < this.firstHotDay && this.note(place.member, place.day)) found += 1;
      }
      if (found > maxResident)
        throw unavailable('Too many old ledgers wait to leave Redis: run it again when they have.');
    }
  }

  /** Everybody who may have old ledgers, in pages. */
  async *members(): AsyncIterable<readonly string[]> {
    const { store } = this.ledger.settings.cold;
    if (!store) return;
    const own = [...this.resident.keys()];
    if (own.length > 0) yield own;
    for await (const page of store.members()) yield page.filter((member) => !this.resident.has(member));
  }

  /** The old days of each of these members. One question. */
  async daysOf(members: readonly string[]): Promise<ReadonlyMap<string, readonly number[]>> {
    if (!this.isOn) return new Map();
    const unique = [...new Set(members)];
    const found = await this.ledger.cold.daysWith(unique.map((member) => ({ member })));
    return new Map(
      unique.map((member, i) => {
        const days = new Set([...(found[i] ?? []), ...(this.resident.get(member) ?? [])]);
        return [member, [...days].filter((day) => day < this.firstHotDay).sort((a, b) => a - b)] as const;
      }),
    );
  }

  /** A member's old ledgers, as they are now. Two round trips and two questions. */
  async read(member: string, periods: readonly AuditedPeriod[]): Promise<OldLedgers> {
    const { settings, cold } = this.ledger;
    const tag = settings.tags[this.ledger.shardOf(member)] as string;
    const wanted = await served(this.redis, keys.recalled(settings.prefix, tag, member), (key) =>
      this.redis.zrange(key, String(this.sinceMs), '+inf', 'BYSCORE'),
    );
    for (const day of wanted.map(Number)) if (day < this.firstHotDay) this.note(member, day);
    const days = [...((await this.daysOf([member])).get(member) ?? [])];
    const isThere = await Promise.all(
      days.map((day) =>
        served(this.redis, coldKeys(settings.prefix, tag, { member, day }).ledger, (key) => this.redis.exists(key)),
      ),
    );
    const hot = days.filter((_, i) => isThere[i] === 1);
    const outside = days.filter((_, i) => isThere[i] !== 1);
    const bodies = outside.length === 0 ? [] : await cold.bodies(outside.map((day) => ({ member, day })));
    const sums = periods.map(() => ({ points: 0, latestMs: null as number | null }));
    for (const [i, body] of bodies.entries()) {
      if (!body) continue;
      const { fields, pages } = thawed(body);
      this.add(outside[i] as number, [fields, ...Object.values(pages)].flat(), periods, sums);
    }
    return { hot, cold: outside, sums, wanted: wanted.length };
  }

  /** From when on `OldLedgers.wanted` is counted. */
  get wantedSinceMs(): number {
    return this.sinceMs;
  }

  private add(
    day: number,
    fields: HashFields,
    periods: readonly AuditedPeriod[],
    sums: { points: number; latestMs: number | null }[],
  ): void {
    const { fieldNames } = this.ledger.settings;
    const lines = fields.map(([field, value]) => [field, longValue(value, day)] as const);
    for (const [i, { board, firstDay, lastDay, prefixes }] of periods.entries()) {
      const sum = sums[i];
      if (!sum || day < firstDay || day > lastDay) continue;
      const counting = { name: board.name, isTally: board.tallyOf != null };
      const beginnings = prefixes?.flatMap(fieldNames.beginnings) ?? null;
      for (const [field, value] of lines) {
        const { points, sinceMs } = worthOf(field, value, { ...counting, beginnings });
        sum.points += points;
        if (sinceMs !== null) sum.latestMs = Math.max(sum.latestMs ?? sinceMs, sinceMs);
      }
    }
  }

  private note(member: string, day: number): boolean {
    const days = this.resident.get(member) ?? new Set<number>();
    const isNew = !days.has(day);
    this.resident.set(member, days.add(day));
    return isNew;
  }
}
