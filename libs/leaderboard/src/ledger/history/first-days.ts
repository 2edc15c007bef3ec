import { dayKey, dayMs } from '../../time/days';
import { groupBy } from '../../lists/lists';
import { keys } from '../../keys/keys';
import type { RedisClient } from '../../redis/redis-client';
import { served } from '../../redis/served';
import { shardOf } from '../../keys/shard';
import type { LedgerSettings } from '../model/ledger-options';

/** The field of the layout with the day from which first days were kept; 0: from the first day of all. */
const fromField = 'firstDaysFrom';

/** A member first seen within this many days after first days began to be kept may have been there before. */
const doubtfulDays = 31;

/**
 * Reads on which day each member was first seen; judge-transitions.lua stores it if the ledger's options ask for it.
 */
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
    // Of several processes that start at once, the one that finds nothing stored has the last word.
    await served(this.redis, key, () =>
      isNew ? this.redis.hset(key, fromField, '0') : this.redis.hsetnx(key, fromField, today),
    );
  }

  /**
   * The members' first days, `2026-11-20`, in the order asked; null if not known. One round trip, two the first time.
   */
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
    // No process has begun to keep first days yet; the next call sees one that does.
    if (from === null) return Infinity;
    this.from = Number(from);
    return this.from;
  }
}
