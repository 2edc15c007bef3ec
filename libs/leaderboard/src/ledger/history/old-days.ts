import { chunksOf, groupBy } from '../../lists/lists';
import { keys, memberHash, type MemberHash } from '../../keys/keys';
import { scanKeys } from '../../redis/scan';
import { served } from '../../redis/served';
import { whenAll } from '../../redis/when-all';
import type { FactReader } from '../recording/member-ledger';
import { daysInMemory } from '../recording/reading';
import { expiring, rewrite, type Unit } from '../recording/commit';
import { View } from '../recording/view';
import { unpackedField } from '../settings/stored-settings';

/** The written facts of one member. */
interface Change extends Unit {
  /** Whether it packs a day; else it drops some. */
  readonly isPacked: boolean;
}

/** Days that were not packed by a run may be as much younger than those that were. */
const daysLeft = 31;

/** Keys in one script call: a millisecond or two. */
const keysACall = 16;

/** Packs ledgers of days past their time in memory, and drops old days past their retention. */
export class OldDays {
  constructor(private readonly reader: FactReader) {}

  /** As `Ledger.pack`. */
  async pack(signal?: AbortSignal): Promise<number> {
    const { redis, settings, calendar } = this.reader.context;
    const { prefix, clock } = settings;
    const last = calendar.dayOf(clock.now()).number - daysInMemory;
    let packed = 0;
    // Ledgers and old days begin so, and other keys of members whose names have it.
    for await (const page of scanKeys(redis, `{${prefix}:*}:[lo][el]d*`)) {
      const hashes = page.flatMap((key) => memberHash(settings, key) ?? []);
      const due = hashes.filter(({ kind, day }) => kind === 'old' || (day !== null && day <= last));
      for (const [tag, own] of groupBy(due, (hash) => hash.tag)) {
        for (const some of chunksOf(own, keysACall)) {
          signal?.throwIfAborted();
          packed += await this.packSome(tag, some);
        }
      }
    }
    // One that was changed meanwhile is packed the next time: it stays within the days that are looked for.
    await served(redis, keys.layout(prefix), (key) => redis.hset(key, unpackedField, Math.max(0, last - daysLeft)));
    return packed;
  }

  private async packSome(tag: string, hashes: readonly MemberHash[]): Promise<number> {
    const found = await whenAll(hashes.map((hash) => (hash.day === null ? this.expired(hash) : this.packedDay(hash))));
    const changes = found.flatMap((change) => change ?? []);
    if (changes.length === 0) return 0;
    const written = await rewrite(this.reader.context, tag, changes);
    // Days that changed meanwhile are packed the next time.
    return written.filter((isWritten, i) => isWritten && changes[i]?.isPacked).length;
  }

  private packedDay({ member, day, oldKey }: MemberHash): Promise<Change | null> {
    const number = day as number;
    const expireAtMs = this.reader.context.calendar.dayNumbered(number)?.ledgerClosesAtMs ?? Infinity;
    return this.reader.read(member, (ledger) => {
      const { view } = ledger;
      const isPacked = ledger.pack(number);
      return view.writes.size === 0 ? null : { view, commands: expiring(oldKey, expireAtMs), isPacked };
    });
  }

  /** The days of a member that are kept no longer. */
  private async expired({ key, member }: MemberHash): Promise<Change | null> {
    const { redis, calendar, settings } = this.reader.context;
    const nowMs = settings.clock.now();
    const view = new View(member);
    for (const day of await served(redis, key, () => redis.hkeys(key))) {
      const expireAtMs = calendar.dayNumbered(Number(day))?.ledgerClosesAtMs ?? Infinity;
      if (expireAtMs <= nowMs) view.write(key, day, null);
    }
    return view.writes.size === 0 ? null : { view, commands: [], isPacked: false };
  }
}
