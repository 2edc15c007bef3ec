import { dayMs } from '../time/days';
import type { Score } from '../board';
import { settingsMismatch, shardCountMismatch } from '../errors/errors';
import { keys } from '../keys/keys';
import { type RedisClient, loadScript } from '../redis/run';
import type { Script } from '../scripts/script';
import { served } from '../redis/served';
import { boardScripts as scripts } from '../scripts/board.generated';
import type { LeaderboardSettings } from './leaderboard-options';

/** What was found is asked for again after so long; sooner for a board that expires: {@link keptBeyondExpiryMs}. */
const rememberedMs = dayMs;

/** Beyond the moment at which a board expires, that moment and its layout are kept for so long. */
export const keptBeyondExpiryMs = 7 * dayMs;

/** The settings with which a board was begun, and must be opened again; a layout by its `id`. */
const fields = ['shards', 'layout', 'order'] as const;

/** What writes entries. */
const writing: readonly Script[] = [scripts.writeEntries, scripts.writePlain, scripts.writePlainLines];

/** A board's stored layout, and how long it surely holds: after that, the key may be new. */
interface Stored {
  readonly values: readonly (string | null)[];
  readonly validMs: number;
  /** Whether no moment is set at which the board expires. */
  readonly isLasting: boolean;
}

/** Sees to it that a board is read and written in the shards, layout and order that it was begun with. */
export class StoredLayout {
  private agreedUntil = -Infinity;
  private claimedUntil = -Infinity;
  private readonly own: readonly [shards: string, layout: string, order: string];

  constructor(
    private readonly redis: RedisClient,
    private readonly settings: Pick<LeaderboardSettings<Score>, 'key' | 'tags' | 'layout' | 'clock'>,
  ) {
    const { tags, layout } = settings;
    this.own = [String(tags.length), layout.id, layout.order];
  }

  /** For reads: a board that is not there yet agrees with anything. One round trip until it is, then one a day. */
  async compare(): Promise<void> {
    if (this.settings.clock.now() < this.agreedUntil) return;
    const stored = await this.stored();
    if (stored.values[0] !== null) this.check(stored);
  }

  /**
   * For writes: stores what is not there yet, and makes the writing scripts known; returns whether it found that no
   * moment is set at which the board expires. Two round trips, once a day.
   */
  async claim(): Promise<boolean> {
    const now = this.settings.clock.now();
    if (now < this.claimedUntil) return false;
    const own = keys.boardLayout(this.settings.key);
    await Promise.all([
      ...fields.map((field, i) => served(this.redis, own, () => this.redis.hsetnx(own, field, this.own[i] as string))),
      ...writing.map((script) => loadScript(this.redis, script)),
    ]);
    const stored = await this.stored();
    this.check(stored);
    this.claimedUntil = now + stored.validMs;
    return stored.isLasting;
  }

  private async stored(): Promise<Stored> {
    const key = keys.boardLayout(this.settings.key);
    const [values, leftMs] = await Promise.all([
      served(this.redis, key, () => this.redis.hmget(key, ...fields)),
      served(this.redis, key, () => this.redis.pttl(key)),
    ]);
    const isLasting = leftMs < 0;
    return { values, isLasting, validMs: isLasting ? rememberedMs : Math.min(rememberedMs, leftMs) };
  }

  private check({ values, validMs }: Stored): void {
    this.agreedUntil = -Infinity;
    const { key } = this.settings;
    for (const [i, name] of fields.entries()) {
      const [stored, configured] = [values[i], this.own[i]];
      if (stored === configured) continue;
      const remedy = 'move its entries into a board of another key.';
      if (name === 'shards')
        throw shardCountMismatch(
          `The board "${key}" lies in ${stored} shards, but ${configured} are configured: configure ${stored}, or ${remedy}`,
        );
      throw settingsMismatch(
        `The board "${key}" was begun with ${name} "${stored}", but ${name} "${configured}" is configured: configure ` +
          `the former, or ${remedy}`,
      );
    }
    this.agreedUntil = this.settings.clock.now() + validMs;
  }
}
