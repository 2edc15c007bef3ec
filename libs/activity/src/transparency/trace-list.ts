import type { RedisClient } from '@laurel/leaderboard';

/** Where a trace is kept, how many lines of it, and how long after the last one; null: for good. */
export interface TraceListOptions {
  readonly key: string;
  readonly max: number;
  readonly keptMs: number | null;
}

/** The latest of something that concerns users, as JSON in one list of Redis: of all instances, the latest first. */
export class TraceList<Line extends { readonly userId: string }> {
  constructor(
    private readonly client: RedisClient,
    private readonly options: TraceListOptions,
  ) {}

  /** Adds lines, the last of them the latest. Two round trips. */
  async add(lines: readonly string[]): Promise<void> {
    const { key, max, keptMs } = this.options;
    await this.client.lpush(key, ...lines);
    await Promise.all([this.client.ltrim(key, 0, max - 1), keptMs !== null && this.client.pexpire(key, keptMs)]);
  }

  /** The latest. One round trip. */
  async recent(count: number): Promise<Line[]> {
    const lines = await this.client.lrange(this.options.key, 0, count - 1);
    return lines.map((line) => JSON.parse(line) as Line);
  }

  /** Drops a user's lines; how many there were. Two round trips. */
  async forget(userId: string): Promise<number> {
    const { key } = this.options;
    const lines = await this.client.lrange(key, 0, -1);
    const own = new Set(lines.filter((line) => (JSON.parse(line) as Line).userId === userId));
    const removed = await Promise.all([...own].map((line) => this.client.lrem(key, 0, line)));
    return removed.reduce((sum, count) => sum + count, 0);
  }
}
