import { dayKey, dayMs } from '../../time/days';
import { groupBy } from '../../lists/lists';
import { keys } from '../../keys/keys';
import type { RedisClient } from '../../redis/redis-client';
import { served } from '../../redis/served';
import { shardOf } from '../../keys/shard';
import type { LedgerSettings } from '../model/ledger-options';

/** The field of the layout that says from which day on first days were kept; 0: from the first of all. */
const fromField = 'firstDaysFrom';

/** Whoever is first seen so soon after first days began to be kept may have been there before. */
const doubtfulDays = 31;

/** On which day each member was first seen: what judge-transitions.lua keeps, where a ledger is told to. */
export class FirstDays {
  private from: number | undefined;

  constructor(
    private readonly redis: RedisClient,
    private readonly settings: LedgerSettings,
  ) {}

  /**
   * Notes from when on they are kept. One round trip.
   * @param isNew whether nothing had ever been written under the prefix.
   */
  async begin(isNew: boolean): Promise<void> {
    const { prefix, clock } = this.settings;
    const key = keys.layout(prefix);
    const today = String(Math.floor(clock.now() / dayMs));
    // Of several that start at once, one finds nothing there: whenever it says so, it has the last word.
    await served(this.redis, key, () =>
      isNew ? this.redis.hset(key, fromField, '0') : this.redis.hsetnx(key, fromField, today),
    );
  }

  /** Their first days, `2026-11-20`, in the order asked; null where it is not known. One round trip, two the first time. */
  async find(members: readonly string[]): Promise<(string | null)[]> {
    const from = this.from ?? (await this.readFrom());
    const { prefix, tags } = this.settings;
    const found = new Map<string, number>();
    await Promise.all(
      [...groupBy(new Set(members), (member) => shardOf(member, tags.length))].map(async ([shard, own]) => {
        const key = keys.firstDays(prefix, tags[shard] as string);
        const days = await served(this.redis, key, () => this.redis.zmscore(key, own));
        own.forEach((member, i) => {
          const day = days[i];
          if (day != null) found.set(member, Number(day));
        });
      }),
    );
    return members.map((member) => {
      const day = found.get(member);
      const isKnown = day !== undefined && (from === 0 || day >= from + doubtfulDays);
      return isKnown ? dayKey(day) : null;
    });
  }

  private async readFrom(): Promise<number> {
    const key = keys.layout(this.settings.prefix);
    const from = await served(this.redis, key, () => this.redis.hget(key, fromField));
    // Nobody has begun to keep them yet: whoever does is seen by the next call.
    if (from === null) return Infinity;
    this.from = Number(from);
    return this.from;
  }
}
