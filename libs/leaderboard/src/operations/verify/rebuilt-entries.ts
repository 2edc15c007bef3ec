import { LeaderboardError } from '../../errors/errors';
import { keys, nameInShard } from '../../keys/keys';
import type { Ledger } from '../../ledger';
import type { RedisClient } from '../../redis/run';
import { scanKeys } from '../../redis/scan';
import { scripts } from '../../scripts/scripts.generated';
import { served } from '../../redis/served';

/** What became of entries that rebuilds replaced. */
export interface RestoredEntries {
  /** As they were before the first rebuild. */
  readonly restored: number;
  /** Left as they are, as something has changed them since. */
  readonly changed: number;
  /** Left as they are, as their boards are settled, or are none of this ledger's any more. */
  readonly final: number;
}

/** How a walk over what was kept is told to end. */
export interface RebuiltWalkOptions {
  /** Breaks it off; what was done by then is done. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Entries that rebuilds of a ledger's boards replaced: kept in Redis until they are restored or dropped, or the boards
 * expire.
 */
export class RebuiltEntries {
  constructor(
    private readonly redis: RedisClient,
    private readonly ledger: Ledger,
  ) {}

  /** Restores every entry that has not changed since. Safe to repeat. Scans every key. @throws LeaderboardError */
  async restore(options: RebuiltWalkOptions = {}): Promise<RestoredEntries> {
    const counts = { restored: 0, changed: 0, final: 0 };
    const outcomes = { 1: 'restored', 2: 'changed', 3: 'final' } as const;
    for await (const { tag, member, key } of this.kept(options)) {
      const places = await served(this.redis, key, () => this.redis.hkeys(key));
      for (const place of places.filter((name) => name !== '')) {
        const outcome = outcomes[(await this.restoreEntry(tag, member, place)) as keyof typeof outcomes];
        if (outcome) counts[outcome] += 1;
      }
    }
    return counts;
  }

  /** Drops what was kept; gives of how many members. Looks at every key. */
  async drop(options: RebuiltWalkOptions = {}): Promise<number> {
    let dropped = 0;
    for await (const { key } of this.kept(options))
      dropped += await served(this.redis, key, () => this.redis.unlink(key));
    return dropped;
  }

  private async restoreEntry(tag: string, member: string, place: string): Promise<number> {
    const { prefix, tags, clock } = this.ledger.settings;
    const at = place.indexOf(':');
    const [board, period] = [place.slice(0, at), place.slice(at + 1)];
    const found = this.boardPeriod(board, period);
    if (!found) return 3;
    const shard = tags.indexOf(tag);
    const own = {
      rebuilt: keys.rebuilt(prefix, tag, member),
      excluded: keys.excluded(prefix, tag),
      frozen: found.frozenKeys[shard] as string,
      erased: keys.erased(prefix, tag),
      shown: found.keys[shard] as string,
      beside: found.asideKeys[shard] as string,
    };
    const args = { place, member, expireAt: found.expireAtMs, nowMs: clock.now() };
    return (await this.ledger.members.run(scripts.restoreEntry, own, args, { tag, members: [member] })) as number;
  }

  /** Null: the board is none of the ledger's any more. */
  private boardPeriod(board: string, period: string) {
    try {
      return this.ledger.periods.boardPeriod(board, this.ledger.periods.parse(board, period), null);
    } catch (error) {
      if (error instanceof LeaderboardError && error.code === 'invalidArgument') return null;
      throw error;
    }
  }

  private async *kept({ signal }: RebuiltWalkOptions): AsyncGenerator<{
    readonly tag: string;
    readonly member: string;
    readonly key: string;
  }> {
    const { prefix, tags } = this.ledger.settings;
    const shards = { prefix, tags: new Set(tags) };
    for await (const page of scanKeys(this.redis, `{${prefix}:*}:rebuilt:*`)) {
      signal?.throwIfAborted();
      for (const key of page) {
        const { tag, name } = nameInShard(shards, key) ?? {};
        if (tag !== undefined && name?.startsWith('rebuilt:')) {
          yield { tag, member: name.slice('rebuilt:'.length), key };
        }
      }
    }
  }
}
