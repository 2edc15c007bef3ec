import { dayMs } from '../time/days';
import type { Clock } from '../time/clock';
import { settingsMismatch, shardCountMismatch } from '../errors/errors';
import { keys } from '../keys/keys';
import { type RedisClient, loadScript } from '../redis/run';
import type { Script } from '../scripts/script';
import { served } from '../redis/served';

/** What was found is asked for again after so long; sooner for a board that expires: {@link keptBeyondExpiryMs}. */
const rememberedMs = dayMs;

/** Beyond the moment at which a board expires, that moment and its layout are kept for so long. */
export const keptBeyondExpiryMs = 7 * dayMs;

/** The settings with which a board was begun, and must be opened again; a layout by its `id`. */
const fields = ['shards', 'layout', 'order'] as const;

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

  constructor(
    private readonly redis: RedisClient,
    private readonly key: string,
    private readonly own: Readonly<Record<(typeof fields)[number], string | number>>,
    private readonly options: { readonly writing: readonly Script[]; readonly clock: Clock },
  ) {}

  /** For reads: a board that is not there yet agrees with anything. One round trip until it is, then one a day. */
  async compare(): Promise<void> {
    if (this.options.clock.now() < this.agreedUntil) return;
    const stored = await this.stored();
    if (stored.values[0] !== null) this.check(stored);
  }

  /**
   * For writes: stores what is not there yet, and makes the writing scripts known; returns whether it found that no
   * moment is set at which the board expires. Two round trips, once a day.
   */
  async claim(): Promise<boolean> {
    const now = this.options.clock.now();
    if (now < this.claimedUntil) return false;
    await Promise.all([
      ...fields.map((field) =>
        served(this.redis, keys.boardLayout(this.key), (key) => this.redis.hsetnx(key, field, String(this.own[field]))),
      ),
      ...this.options.writing.map((script) => loadScript(this.redis, script)),
    ]);
    const stored = await this.stored();
    this.check(stored);
    this.claimedUntil = now + stored.validMs;
    return stored.isLasting;
  }

  private async stored(): Promise<Stored> {
    const key = keys.boardLayout(this.key);
    const [values, leftMs] = await Promise.all([
      served(this.redis, key, () => this.redis.hmget(key, ...fields)),
      served(this.redis, key, () => this.redis.pttl(key)),
    ]);
    const isLasting = leftMs < 0;
    return { values, isLasting, validMs: isLasting ? rememberedMs : Math.min(rememberedMs, leftMs) };
  }

  private check({ values, validMs }: Stored): void {
    this.agreedUntil = -Infinity;
    const [shards, layout, order] = values;
    if (shards !== String(this.own.shards)) {
      throw shardCountMismatch(
        `The board "${this.key}" lies in ${shards} shards, but ${this.own.shards} are configured: configure ${shards}, or ` +
          'move its entries into a board of another key.',
      );
    }
    for (const [name, value] of Object.entries({ layout, order })) {
      const configured = this.own[name as 'layout' | 'order'];
      if (value === configured) continue;
      throw settingsMismatch(
        `The board "${this.key}" was begun with ${name} "${value}", but ${name} "${configured}" is configured: configure ` +
          'the former, or move its entries into a board of another key.',
      );
    }
    this.agreedUntil = this.options.clock.now() + validMs;
  }
}
