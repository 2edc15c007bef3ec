import type { Score } from '../entry';
import { LeaderboardError } from '../errors';
import { groupBy } from '../group-by';
import { keys } from '../keys';
import { redisNumber } from '../reads/board-parts';
import type { Bound } from '../reads/bound';
import type { Line } from '../reads/line';
import { sum } from '../reads/select';
import { sendTogether, type Command } from '../reads/send';
import { runScript, type RedisClient } from '../scripts/run';
import { scripts } from '../scripts/scripts.generated';
import type { BoardLayout, Update } from '../score/layout';

/** One line to write, checked and in the form of the writing script. */
export interface WriteLine {
  readonly member: string;
  readonly argument: readonly [score: string, time: number];
}

export interface BoardWriterOptions<S extends Score> {
  readonly key: string;
  readonly tags: readonly string[];
  readonly shardOf: (member: string) => number;
  readonly layout: BoardLayout<S>;
  /** Keep the best so many; 0 keeps all. */
  readonly limit: number;
  /** The name of a build: lines are written beside the board, until {@link BoardWriter.replace}. */
  readonly build?: string;
}

/** The most lines in one script call: a longer one would keep other clients of that Redis waiting. */
const maxLinesACall = 1_000;

/** What a build wrote is gone where it stands still for so long. */
const longestPauseMs = 86_400_000;

/** The keys of one shard of a board that stands alone. */
interface ShardKeys {
  readonly part: string;
  readonly expiry: string;
  /** Of lexical boards only. */
  readonly vectors?: string;
}

/** Every command that a write of a {@link Leaderboard} sends. What a shard does, it does in one script call. */
export class BoardWriter<S extends Score> {
  private readonly shards: readonly ShardKeys[];

  constructor(
    private readonly redis: RedisClient,
    private readonly options: BoardWriterOptions<S>,
  ) {
    this.shards = shardKeys(options, options.build);
  }

  /**
   * Writes lines in their order and gives the lines that stand for them, or the place of one that was out of range: then
   * nothing of its call, at most 1,000 lines of one shard, was written. One round trip for each call.
   */
  async write(update: Update, lines: readonly WriteLine[]): Promise<{ written: Line[] } | { outOfRange: number }> {
    const byShard = groupBy(lines.keys(), (place) => this.options.shardOf((lines[place] as WriteLine).member));
    const written = new Array<Line>(lines.length);
    const refused = await Promise.all(
      [...byShard].map(async ([shard, places]) => {
        for (let start = 0; start < places.length; start += maxLinesACall) {
          const chunk = places.slice(start, start + maxLinesACall);
          const [failed, ...scores] = await this.writeChunk(
            shard,
            update,
            chunk.map((place) => lines[place] as WriteLine),
          );
          if (failed !== 0) return chunk[Number(failed) - 1];
          chunk.forEach((place, i) => {
            const { member } = lines[place] as WriteLine;
            written[place] = this.options.layout.written(member, String(scores[i]));
          });
        }
        return undefined;
      }),
    );
    const outOfRange = refused.find((place) => place !== undefined);
    return outOfRange === undefined ? { written } : { outOfRange };
  }

  /** Removes members and says how many there were. One round trip. */
  async remove(members: readonly string[]): Promise<number> {
    const byShard = groupBy(new Set(members), (member) => this.options.shardOf(member));
    const removed = await Promise.all(
      [...byShard].map(async ([shard, own]) => {
        const { part, vectors } = this.shards[shard] as ShardKeys;
        if (vectors === undefined) return this.redis.zrem(part, ...own);
        return (await runScript(this.redis, scripts.removeMembers, { part, vectors }, { members: own })) as number;
      }),
    );
    return sum(removed);
  }

  /** Removes what stands behind `from` and, unless left out, ahead of `until`, and says how many. One round trip. */
  async removeBetween(from: Bound, until?: Bound): Promise<number> {
    const { layout } = this.options;
    const prefix = layout.grouping.by === 'prefix' ? layout.grouping.length : 0;
    const args = {
      order: layout.order,
      prefix,
      fromScore: redisNumber(from.score),
      fromPlace: from.place,
      ...(until && { untilScore: redisNumber(until.score), untilPlace: until.place }),
    };
    const removed = await Promise.all(
      this.shards.map(({ part, vectors }) => runScript(this.redis, scripts.removeBetween, { part, vectors }, args)),
    );
    return sum(removed.map(Number));
  }

  /** Lets what this build wrote of a shard end by itself, a day from now, should it not be ended. One round trip. */
  async letExpire(shard: number): Promise<void> {
    const stored = storedIn(this.shards[shard] as ShardKeys);
    await sendTogether(
      this.redis,
      stored.map((key): Command => ['pexpire', key, longestPauseMs]),
    );
  }

  /**
   * Puts what this build wrote in the board's place, each shard at once; where it wrote nothing of one, nothing stays of
   * it. One round trip.
   * @param built for each shard, whether anything was written
   * @throws LeaderboardError `unavailable` where a shard's build is gone; that shard stays as it was.
   */
  async replace(built: readonly boolean[]): Promise<void> {
    const replaced = await Promise.all(
      shardKeys(this.options).map((own, shard) => {
        const { part, vectors } = this.shards[shard] as ShardKeys;
        const pair = { ...own, built: part, builtVectors: vectors };
        return runScript(this.redis, scripts.replacePart, pair, { any: built[shard] ? 1 : 0 });
      }),
    );
    if (replaced.every((reply) => reply === 1)) return;
    throw new LeaderboardError('unavailable', 'What was built was lost on the way: build it again.');
  }

  /** Removes all entries. One round trip. */
  async clear(): Promise<void> {
    const commands = this.shards.map((shard): Command => ['del', ...storedIn(shard)]);
    await sendTogether(this.redis, commands);
  }

  /** Sets the moment at which every shard expires, for shards that are not there yet as well. One round trip. */
  async expireAt(ms: number): Promise<void> {
    // The moment is stored first: a shard born in between finds it.
    const commands = this.shards.flatMap((shard): Command[] => [
      ['set', shard.expiry, ms, 'PXAT', ms],
      ...storedIn(shard).map((key): Command => ['pexpireat', key, ms]),
    ]);
    await sendTogether(this.redis, [...commands, ['pexpireat', keys.boardLayout(this.options.key), ms]]);
  }

  private async writeChunk(shard: number, update: Update, lines: readonly WriteLine[]): Promise<unknown[]> {
    const { layout, limit } = this.options;
    const flat = lines.flatMap(({ member, argument }) => [member, ...argument]);
    const args = { order: layout.order, update, ...layout.writing, limit, lines: flat };
    return (await runScript(this.redis, scripts.writeEntries, this.shards[shard] as ShardKeys, args)) as unknown[];
  }
}

/** The keys that hold a shard's entries. */
function storedIn({ part, vectors }: ShardKeys): string[] {
  return vectors === undefined ? [part] : [part, vectors];
}

/** The keys of each shard: the board's own, or those of a build beside it. */
function shardKeys<S extends Score>({ key, tags, layout }: BoardWriterOptions<S>, build?: string): ShardKeys[] {
  const isLexical = layout.writing.layout === 'lexical';
  return tags.map((tag) => {
    const expiry = keys.expiry(key, tag);
    if (build === undefined) {
      return { part: keys.entries(key, tag), expiry, ...(isLexical && { vectors: keys.vectors(key, tag) }) };
    }
    const vectors = isLexical && { vectors: keys.built(key, tag, build, 'vectors') };
    return { part: keys.built(key, tag, build, 'entries'), expiry, ...vectors };
  });
}
