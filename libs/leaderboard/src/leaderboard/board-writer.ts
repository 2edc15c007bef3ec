import { dayMs } from '../time/days';
import { type Bound, type Line, redisNumber, type Score, type Update } from '../board';
import { unavailable } from '../errors/errors';
import { chunksOf, groupBy, sum } from '../lists/lists';
import { keys } from '../keys/keys';
import { shardOf } from '../keys/shard';
import { sendTogether, type Command } from '../redis/send';
import { type RedisClient, runScript } from '../redis/run';
import { served } from '../redis/served';
import { boardScripts as scripts } from '../scripts/board.generated';
import { whenAll } from '../redis/when-all';
import type { LeaderboardSettings } from './leaderboard-options';
import { keptBeyondExpiryMs } from './stored-layout';

/** One line to write, checked and in the form of the writing script. */
export interface WriteLine {
  readonly member: string;
  readonly argument: readonly [score: string, time: number];
}

/** Writes only where the score becomes better, or another; the member is present; is absent; has this score. */
export type WriteCondition<S extends Score = Score> =
  'better' | 'different' | 'present' | 'absent' | { readonly score: S };

export interface WriteRequest {
  /** A {@link WriteCondition} as the writing script has it. */
  readonly only?: string | undefined;
  /** Whether anybody wants to know what stands after each line. */
  readonly answers: boolean;
}

/** The entry after a line, null if the member is absent; and whether the line was written. */
export interface LineWritten {
  readonly line: Line | null;
  readonly written: boolean;
}

export interface BoardWriterOptions<S extends Score> extends Pick<
  LeaderboardSettings<S>,
  'key' | 'tags' | 'layout' | 'limit'
> {
  /** The name of a build: lines are written beside the board, until {@link BoardWriter.replace}. */
  readonly build?: string;
}

/** The most lines in one script call: a longer one would keep other clients of that Redis waiting. */
const maxLinesACall = 1_000;

/** So many plain lines travel in one argument: Redis reads several short ones with less work than a long one. */
const plainLinesAnArgument = 250;

/** So many entries one script call removes: some milliseconds of Redis where vectors lie beside them. */
const mostRemovedACall = 2_000;

/** A build's entries expire once it pauses for so long. */
const longestPauseMs = dayMs;

/** The keys of one shard of a board that stands alone. */
interface ShardKeys {
  readonly shard: string;
  readonly expiry: string;
  /** The key of the former shard while a build replaces it. */
  readonly replaced: string;
  /** Of lexical boards only. */
  readonly vectors?: string;
}

/** The number of the line out of range, or 0; scores; numbers of lines not written; 1: more are to fall off. */
type ChunkReply = [outOfRange: number, scores: readonly (string | null)[], unwritten: readonly number[], more?: number];

/** Every command that a write of a {@link Leaderboard} sends. What a shard does, it does in one script call. */
export class BoardWriter<S extends Score> {
  private readonly shards: readonly ShardKeys[];

  constructor(
    private readonly redis: RedisClient,
    private readonly options: BoardWriterOptions<S>,
  ) {
    this.shards = shardKeys(options, options.build);
  }

  /** Writes lines in order, and says what stands after each, or which was out of range: its call wrote nothing. */
  async write(
    update: Update,
    lines: readonly WriteLine[],
    options: WriteRequest,
  ): Promise<{ results: LineWritten[] } | { outOfRange: number }> {
    const byShard = groupBy(lines.keys(), (place) => this.shardOf((lines[place] as WriteLine).member));
    const results = new Array<LineWritten>(lines.length);
    const ended = await whenAll(
      [...byShard].map(async ([shard, places]) => {
        let remaining = places.length;
        for (const chunk of chunksOf(places, maxLinesACall)) {
          const own = chunk.map((place) => lines[place] as WriteLine);
          remaining -= chunk.length;
          const limit = this.limitBefore(remaining, update, options);
          const [failed, scores, unwritten] = await this.writeChunk(shard, update, own, { ...options, limit });
          if (failed !== 0) return chunk[failed - 1];
          if (!options.answers) continue;
          const left = new Set(unwritten);
          chunk.forEach((place, at) => {
            const score = scores[at] ?? null;
            const line = score === null ? null : this.options.layout.written((own[at] as WriteLine).member, score);
            results[place] = { line, written: !left.has(at + 1) };
          });
        }
        return undefined;
      }),
    );
    const outOfRange = ended.find((place) => place !== undefined);
    return outOfRange === undefined ? { results: options.answers ? results : [] } : { outOfRange };
  }

  /** Removes members and says how many there were. One round trip for each 2,000 of a shard. */
  async remove(members: readonly string[]): Promise<number> {
    const byShard = groupBy(new Set(members), (member) => this.shardOf(member));
    const removed = await Promise.all(
      [...byShard].map(async ([shard, own]) => {
        const { shard: entries, vectors } = this.shards[shard] as ShardKeys;
        let gone = 0;
        for (const some of chunksOf(own, mostRemovedACall)) {
          gone += vectors
            ? Number(await runScript(this.redis, scripts.removeMembers, { shard: entries, vectors }, { members: some }))
            : await served(this.redis, entries, () => this.redis.zrem(entries, ...some));
        }
        return gone;
      }),
    );
    return sum(removed);
  }

  /** Removes what stands between two bounds, and says how many. One round trip for each 2,000 entries of a shard. */
  async removeBetween(from: Bound, until?: Bound): Promise<number> {
    const { layout } = this.options;
    const args = {
      order: layout.order,
      prefix: layout.grouping.by === 'prefix' ? layout.grouping.length : 0,
      most: mostRemovedACall,
      fromScore: redisNumber(from.score),
      fromPlace: from.place,
      ...(until && { untilScore: redisNumber(until.score), untilPlace: until.place }),
    };
    const removed = await Promise.all(
      this.shards.map(async (own) => {
        let gone = 0;
        for (let count = mostRemovedACall; count === mostRemovedACall; gone += count) {
          count = Number(await runScript(this.redis, scripts.removeBetween, own, args));
        }
        return gone;
      }),
    );
    return sum(removed);
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
   * Puts what this build wrote in the board's place, each shard at once; where it wrote nothing of one, nothing stays
   * of it. One round trip.
   * @param built for each shard, whether anything was written
   * @throws LeaderboardError `unavailable` where a shard's build is gone; that shard stays as it was.
   */
  async replace(built: readonly boolean[]): Promise<void> {
    const replaced = await Promise.all(
      shardKeys(this.options).map((own, shard) => {
        const places = storedIn(own);
        const pairs = storedIn(this.shards[shard] as ShardKeys).flatMap((key, i) => [key, places[i] as string]);
        const named = { expiry: own.expiry, replaced: own.replaced, pairs };
        return runScript(this.redis, scripts.replacePart, named, { any: built[shard] ? 1 : 0 });
      }),
    );
    if (replaced.every((reply) => reply === 1)) return;
    throw unavailable('The board was lost while it was built: build it again.');
  }

  /** Removes all entries. One round trip. */
  async clear(): Promise<void> {
    const commands = this.shards.map((shard): Command => ['del', ...storedIn(shard)]);
    await sendTogether(this.redis, commands);
  }

  /** Sets when all shards expire, also those to come: for a week beyond, what is written is gone. One round trip. */
  async expireAt(ms: number, nowMs: number): Promise<void> {
    const knownUntil = Math.max(ms, nowMs) + keptBeyondExpiryMs;
    // The moment is stored first: a shard born in between finds it.
    const commands = this.shards.flatMap((shard): Command[] => [
      ['set', shard.expiry, ms, 'PXAT', knownUntil],
      ...storedIn(shard).map((key): Command => ['pexpireat', key, ms]),
    ]);
    await sendTogether(this.redis, [...commands, ['pexpireat', keys.boardLayout(this.options.key), knownUntil]]);
  }

  /** How many entries a shard keeps while so many lines are to come that may push others off, or lower. 0: all. */
  private limitBefore(remaining: number, update: Update, { only }: WriteRequest): number {
    const { limit } = this.options;
    if (limit === 0 || remaining === 0) return limit;
    return update === 'set' && !only ? limit + remaining : 0;
  }

  private async writeChunk(
    shard: number,
    update: Update,
    lines: readonly WriteLine[],
    { only, answers, limit }: WriteRequest & { readonly limit: number },
  ): Promise<ChunkReply> {
    const { layout } = this.options;
    const own = this.shards[shard] as ShardKeys;
    if (layout.writing.layout === 'plain' && !only && !limit && cannotOverflow(update, lines)) {
      const [first] = lines;
      if (first && lines.length === 1) {
        const args = { update: this.plainUpdate(update), score: first.argument[0], member: first.member };
        return [0, [(await runScript(this.redis, scripts.writePlain, own, args)) as string], []];
      }
      if (!answers) {
        const chunks = chunksOf(lines, plainLinesAnArgument).map((chunk) =>
          JSON.stringify(chunk.flatMap(({ member, argument: [score] }) => [score, member])),
        );
        await runScript(this.redis, scripts.writePlainLines, own, { update: this.plainUpdate(update), lines: chunks });
        return [0, [], []];
      }
    }
    const args = { order: layout.order, update, ...layout.writing, limit, only: only ?? 'any' };
    const write = async (flat: readonly (string | number)[]) =>
      (await runScript(this.redis, scripts.writeEntries, own, { ...args, lines: flat })) as ChunkReply;
    const reply = await write(lines.flatMap(({ member, argument }) => [member, ...argument]));
    for (let more = reply[3]; more === 1;) [, , , more] = await write([]);
    return reply;
  }

  private shardOf(member: string): number {
    return shardOf(member, this.shards.length);
  }

  private plainUpdate(update: Update): string {
    if (update !== 'best') return update;
    return this.options.layout.order === 'desc' ? 'highest' : 'lowest';
  }
}

/**
 * Less than half the distance between the largest double and the one below it: no finite score becomes infinite by it.
 */
const leastOverflowing = 2 ** 969;

function cannotOverflow(update: Update, lines: readonly WriteLine[]): boolean {
  return update !== 'increment' || lines.every(({ argument: [by] }) => Math.abs(Number(by)) < leastOverflowing);
}

/** The keys that hold a shard's entries. */
function storedIn({ shard, vectors }: ShardKeys): string[] {
  return vectors === undefined ? [shard] : [shard, vectors];
}

/** The keys of each shard: the board's own, or those of a build beside it. */
function shardKeys<S extends Score>({ key, tags, layout }: BoardWriterOptions<S>, build?: string): ShardKeys[] {
  const isLexical = layout.writing.layout === 'lexical';
  return tags.map((tag) => {
    const name = (kind: 'entries' | 'vectors' | 'expiry') =>
      build === undefined ? keys[kind](key, tag) : keys.built(key, tag, build, kind);
    return {
      shard: name('entries'),
      expiry: name('expiry'),
      replaced: keys.replaced(key, tag),
      ...(isLexical && { vectors: name('vectors') }),
    };
  });
}
