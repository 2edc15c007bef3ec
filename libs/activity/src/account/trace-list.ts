import type { RedisClient } from '@laurel/leaderboard';

/** The settings of a list. */
export interface TraceListOptions<Line> {
  readonly key: string;
  /** The most lines. */
  readonly max: number;
  /** How long it is kept after its last line; null: for good. */
  readonly keptMs: number | null;
  /** The users whom a line names. */
  readonly names: (line: Line) => readonly string[];
  /** Those of some users who were erased. */
  readonly erasedAmong: (userIds: readonly string[]) => Promise<ReadonlySet<string>>;
}

/** The latest lines about users, of all instances, as JSON in one Redis list. */
export class TraceList<Line> {
  constructor(
    private readonly client: RedisClient,
    private readonly options: TraceListOptions<Line>,
  ) {}

  /**
   * Adds lines, the last of them the latest. Three round trips. Nothing stays of a user who is erased meanwhile: either
   * the erasure finds the line, or this call finds the erasure.
   */
  async add(lines: readonly Line[]): Promise<void> {
    const { key, max, keptMs, names, erasedAmong } = this.options;
    await this.client.lpush(key, ...lines.map((line) => JSON.stringify(line)));
    await Promise.all([this.client.ltrim(key, 0, max - 1), keptMs !== null && this.client.pexpire(key, keptMs)]);
    for (const userId of await erasedAmong([...new Set(lines.flatMap(names))])) await this.erase(userId);
  }

  /** The latest. One round trip. */
  async recent(count: number): Promise<Line[]> {
    const lines = await this.client.lrange(this.options.key, 0, count - 1);
    return lines.map((line) => JSON.parse(line) as Line);
  }

  /** Removes the lines that name a user; returns how many there were. Two round trips. */
  async erase(userId: string): Promise<number> {
    const { key, names } = this.options;
    const lines = await this.client.lrange(key, 0, -1);
    const own = new Set(lines.filter((line) => names(JSON.parse(line) as Line).includes(userId)));
    const removed = await Promise.all([...own].map((line) => this.client.lrem(key, 0, line)));
    return removed.reduce((sum, count) => sum + count, 0);
  }
}
