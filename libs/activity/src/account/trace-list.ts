import { sum } from '@laurel/leaderboard/internals';
import type { Ledgers } from '../core/ledgers/ledgers';
import type { RedisConnection } from '../core/redis/redis-connection';

/** The settings of a list. */
export interface TraceListOptions<Line> {
  readonly key: string;
  /** The most lines. */
  readonly max: number;
  /** How long it is kept after its last line; null: for good. */
  readonly keptMs: number | null;
  /** The users whom a line names. */
  readonly names: (line: Line) => readonly string[];
}

/**
 * The latest lines about users, of all instances, as JSON in one Redis list. Methods throw ActivityError `unavailable`.
 */
export abstract class TraceList<Line> {
  protected constructor(
    protected readonly connection: RedisConnection,
    protected readonly ledgers: Ledgers,
    private readonly options: TraceListOptions<Line>,
  ) {}

  /** The latest, the latest first. One round trip. */
  async recent(count: number): Promise<Line[]> {
    const lines = await this.connection.read((client) => client.lrange(this.options.key, 0, count - 1));
    return lines.map((line) => JSON.parse(line) as Line);
  }

  /** Removes the lines that name a user; returns how many there were. Two round trips. */
  async erase(userId: string): Promise<number> {
    const { key, names } = this.options;
    return this.connection.read(async (client) => {
      const lines = await client.lrange(key, 0, -1);
      const own = new Set(lines.filter((line) => names(JSON.parse(line) as Line).includes(userId)));
      return sum(await Promise.all([...own].map((line) => client.lrem(key, 0, line))));
    });
  }

  /**
   * Adds lines, the last of them the latest. Three round trips. Nothing stays of a user who is erased meanwhile: either
   * the erasure finds the line, or this call finds the erasure.
   */
  protected async put(lines: readonly Line[]): Promise<void> {
    const { key, max, keptMs, names } = this.options;
    await this.connection.read(async (client) => {
      await client.lpush(key, ...lines.map((line) => JSON.stringify(line)));
      await Promise.all([client.ltrim(key, 0, max - 1), keptMs !== null && client.pexpire(key, keptMs)]);
      const named = [...new Set(lines.flatMap(names))];
      for (const userId of await this.ledgers.main.erasure.among(named)) await this.erase(userId);
    });
  }
}
