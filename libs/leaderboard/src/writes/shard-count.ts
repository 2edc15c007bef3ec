import { LeaderboardError } from '../errors';
import { keys } from '../keys';
import { loadScript, type RedisClient } from '../scripts/run';
import type { Script } from '../scripts/scripts.generated';
import { served } from '../scripts/served';

/** Sees to it that a board is read and written in the number of shards that it was begun with. */
export class ShardCount {
  private agreed = false;
  private claimed = false;

  constructor(
    private readonly redis: RedisClient,
    private readonly key: string,
    private readonly shards: number,
    private readonly writing: readonly Script[],
  ) {}

  /** For reads: a board that is not there yet agrees with any number. One round trip until a number is stored. */
  async compare(): Promise<void> {
    if (this.agreed) return;
    const stored = await this.stored();
    if (stored !== null) this.check(stored);
  }

  /** For writes: stores the number where there is none, and makes the writing scripts known. Two round trips, once. */
  async claim(): Promise<void> {
    if (this.claimed) return;
    const layout = keys.boardLayout(this.key);
    await Promise.all([
      served(this.redis, layout, () => this.redis.hsetnx(layout, 'shards', String(this.shards))),
      ...this.writing.map((script) => loadScript(this.redis, script)),
    ]);
    this.check(await this.stored());
    this.claimed = true;
  }

  private stored(): Promise<string | null> {
    const layout = keys.boardLayout(this.key);
    return served(this.redis, layout, () => this.redis.hget(layout, 'shards'));
  }

  private check(stored: string | null): void {
    this.agreed = stored === String(this.shards);
    if (this.agreed) return;
    throw new LeaderboardError(
      'shardCountMismatch',
      `The board "${this.key}" lies in ${stored} shards, but ${this.shards} are configured: configure ${stored}, or ` +
        'move its entries into a board of another key.',
    );
  }
}
