import type { RedisClient } from '@laurel/leaderboard';
import { scanEntries } from '@laurel/leaderboard/internals';
import { CommandError, nothingFoundExitCode } from '../errors/command-error';
import type { SourceRedis } from './source-redis';

/** A member of somebody else's sorted set. */
export interface SourceEntry {
  readonly member: string;
  readonly score: number;
}

/** How many entries are read at once. */
const pageSize = 500;

/** A sorted set that somebody else writes. It is only read. */
export class SortedSet {
  private constructor(
    private readonly client: RedisClient,
    readonly key: string,
    readonly size: number,
  ) {}

  /** @throws CommandError where there is none. */
  static async open({ client, name }: SourceRedis, key: string): Promise<SortedSet> {
    const type = await client.type(key);
    if (type === 'none') {
      throw new CommandError(`There is no key ${JSON.stringify(key)} on ${name}.`, { exitCode: nothingFoundExitCode });
    }
    if (type !== 'zset') throw new CommandError(`${JSON.stringify(key)} on ${name} is a ${type}, not a sorted set.`);
    return new SortedSet(client, key, await client.zcard(key));
  }

  /** Every entry that stays meanwhile, in pages; one may come again in another page. */
  async *pages(): AsyncGenerator<SourceEntry[]> {
    for await (const page of scanEntries(this.client, this.key, pageSize)) {
      const scores = new Map(page.map(([member, score]) => [member, numberOf(score)]));
      yield [...scores].map(([member, score]) => ({ member, score }));
    }
  }

  /** The scores of members; null: not in it. One round trip. */
  async scores(members: readonly string[]): Promise<(number | null)[]> {
    const scores = await this.client.zmscore(this.key, ...members);
    return scores.map((score) => (score === null ? null : numberOf(score)));
  }
}

/** As Redis writes it: `inf` and `-inf` are scores too. */
function numberOf(score: string): number {
  return Number(score.replace('inf', 'Infinity'));
}
