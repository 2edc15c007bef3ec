import type { Clock } from '../clock';
import { LeaderboardError } from '../errors';
import { keys } from '../keys';
import { loadScript, type RedisClient } from '../scripts/run';
import type { Script } from '../scripts/scripts.generated';
import { served } from '../scripts/served';

/**
 * A number that was found is asked for again after so long: much sooner than it is forgotten of a board that has expired,
 * {@link keptBeyondExpiryMs}.
 */
const rememberedMs = 86_400_000;

/** Beyond the moment at which a board expires, that moment and the number of its shards are kept for so long. */
export const keptBeyondExpiryMs = 7 * 86_400_000;

/** Sees to it that a board is read and written in the number of shards that it was begun with. */
export class ShardCount {
  private agreedUntil = -Infinity;
  private claimedUntil = -Infinity;

  constructor(
    private readonly redis: RedisClient,
    private readonly key: string,
    private readonly shards: number,
    private readonly options: { readonly writing: readonly Script[]; readonly clock: Clock },
  ) {}

  /** For reads: a board that is not there yet agrees with any number. One round trip until a number is stored, then one a day. */
  async compare(): Promise<void> {
    if (this.options.clock.now() < this.agreedUntil) return;
    const stored = await this.stored();
    if (stored !== null) this.check(stored);
  }

  /** For writes: stores the number where there is none, and makes the writing scripts known. Two round trips, once a day. */
  async claim(): Promise<void> {
    const now = this.options.clock.now();
    if (now < this.claimedUntil) return;
    const layout = keys.boardLayout(this.key);
    await Promise.all([
      served(this.redis, layout, () => this.redis.hsetnx(layout, 'shards', String(this.shards))),
      ...this.options.writing.map((script) => loadScript(this.redis, script)),
    ]);
    this.check(await this.stored());
    this.claimedUntil = now + rememberedMs;
  }

  private stored(): Promise<string | null> {
    const layout = keys.boardLayout(this.key);
    return served(this.redis, layout, () => this.redis.hget(layout, 'shards'));
  }

  private check(stored: string | null): void {
    const isAgreed = stored === String(this.shards);
    this.agreedUntil = isAgreed ? this.options.clock.now() + rememberedMs : -Infinity;
    if (isAgreed) return;
    throw new LeaderboardError(
      'shardCountMismatch',
      `The board "${this.key}" lies in ${stored} shards, but ${this.shards} are configured: configure ${stored}, or ` +
        'move its entries into a board of another key.',
    );
  }
}
