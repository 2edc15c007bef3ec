import { dayKey, dayMs } from '../../time/days';
import { checkedMember, keys } from '../../keys/keys';
import { served } from '../../redis/served';
import type { LedgerContext } from '../periods/ledger-context';

/** The field of the layout with the day from which first days were kept; 0: from the first day of all. */
const fromField = 'firstDaysFrom';

/** A member first seen within this many days after first days began to be kept may have been there before. */
const doubtfulDays = 31;

/** Reads on which day each member was first seen; recording stores it if the ledger's options ask for it. */
export class FirstDays {
  private from: number | undefined;

  constructor(private readonly ledger: LedgerContext) {}

  /**
   * Notes from when on they are kept. One round trip.
   * @param isNew whether nothing had ever been written under the prefix.
   */
  async begin(isNew: boolean): Promise<void> {
    const { redis, settings } = this.ledger;
    const today = String(Math.floor(settings.clock.now() / dayMs));
    // Of several processes that start at once, the one that finds nothing stored has the last word.
    await served(redis, keys.layout(settings.prefix), (key) =>
      isNew ? redis.hset(key, fromField, '0') : redis.hsetnx(key, fromField, today),
    );
  }

  /**
   * The days on which members were first seen, `2026-11-20`, in the order asked. Null if not known: the ledger does not
   * keep first days, or the member came within 31 days after it began to keep them on existing data. One round trip a
   * shard, one more the first time.
   */
  async of(members: readonly string[]): Promise<(string | null)[]> {
    members.forEach(checkedMember);
    const { redis, settings } = this.ledger;
    if (!settings.keepsFirstDays) return members.map(() => null);
    const from = this.from ?? (await this.readFrom());
    const days = await this.ledger.ofShards(members, (shard, own) =>
      served(redis, keys.firstDays(settings.prefix, this.ledger.tag(shard)), (key) => redis.zmscore(key, ...own)),
    );
    return days.map((day) => {
      const isKnown = day !== null && (from === 0 || Number(day) >= from + doubtfulDays);
      return isKnown ? dayKey(Number(day)) : null;
    });
  }

  private async readFrom(): Promise<number> {
    const { redis, settings } = this.ledger;
    const from = await served(redis, keys.layout(settings.prefix), (key) => redis.hget(key, fromField));
    // No process has begun to keep first days yet; the next call sees one that does.
    if (from === null) return Infinity;
    this.from = Number(from);
    return this.from;
  }
}
