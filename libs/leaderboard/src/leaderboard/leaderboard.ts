import { randomUUID } from 'node:crypto';
import {
  beforeLine,
  type BoardPage,
  BoardReader,
  type Entry,
  type RankingOption,
  type Score,
  type Update,
} from '../board';
import { invalidArgument, scoreOutOfRange } from '../errors/errors';
import { checkedMember, keys } from '../keys/keys';
import {
  checkedExpiry,
  leaderboardSettings,
  type LeaderboardOptions,
  type LeaderboardSettings,
} from './leaderboard-options';
import { type RedisClient, checkedClient } from '../redis/redis-client';
import { buildShard, checkedAggregate, checkSource, type MergeOptions } from './board-merge';
import { BoardWriter, type LineWritten, type WriteCondition, type WriteRequest } from './board-writer';
import { StoredLayout } from './stored-layout';

/** The entry after a write, even if a `limit` removed it; without its rank, as a write touches one shard only. */
export type Written<S extends Score = number> = Omit<Entry<S>, 'rank'>;

/**
 * The entry after a conditional write. `written` is false if the condition, or `best`, left the member as it was; null
 * instead of an entry if the member is absent and was not written.
 */
export type ConditionallyWritten<S extends Score = number> = Written<S> & { readonly written: boolean };

/** Makes a write conditional. */
export interface ConditionOption<S extends Score = Score> {
  /**
   * `better`: only where the score becomes better, or the member is absent; `different`: only where it becomes another,
   * likewise; `present`: only where the member has a score; `absent`: only where there is none; `{ score }`: only where
   * the member has this very score (compare and set). Judged in the script that writes, line by line.
   */
  readonly only: WriteCondition<S>;
}

/** When a score was reached (default: now), and the condition of its write. */
export interface WriteOptions<S extends Score = Score> extends Partial<ConditionOption<S>> {
  readonly at?: Date;
}

/** When a score was reached, alone or with other options. @inline */
type Moment<S extends Score> = Date | WriteOptions<S> | undefined;

/** The result of writing one entry: with options also `written`; with a condition it may be null. */
export type WriteAnswer<S extends Score, O> = O extends Date | undefined
  ? Written<S>
  : 'only' extends keyof O
    ? ConditionallyWritten<S> | null
    : ConditionallyWritten<S>;

/** One line of {@link Leaderboard.setMany}. */
export interface ScoreLine<S extends Score = number> {
  readonly member: string;
  readonly score: S;
  readonly at?: Date;
}

/** A board that goes into another, each of its scores times `weight` (1). */
export interface MergeSource<S extends Score = number> {
  readonly board: Leaderboard<S>;
  readonly weight?: number;
}

/** How many entries {@link Leaderboard.all} asks for at a time. */
const streamPage = 500;

/**
 * A leaderboard of its own: written by its callers, in one shard or many, read as every {@link BoardReader} is. Every
 * write takes one round trip (the first of an instance three), and with a `limit` on several shards a few more, that
 * remove what falls off. Rejects with `invalidArgument` if an argument is malformed and with `scoreOutOfRange` if it
 * does not fit the layout, and then changes nothing ({@link Leaderboard.setMany} apart); with `shardCountMismatch` if
 * the board has another number of shards; with `settingsMismatch` if it was begun with another layout or order.
 */
export class Leaderboard<S extends Score = number> extends BoardReader<S> {
  private readonly settings: LeaderboardSettings<S>;
  private readonly writer: BoardWriter<S>;
  private readonly storedLayout: StoredLayout;
  private expiry: Promise<void> | undefined;

  /** @throws LeaderboardError `invalidOption`, naming the option, its value and what is allowed. */
  constructor(
    private readonly redis: RedisClient,
    options: LeaderboardOptions<S>,
  ) {
    checkedClient(redis, 'begin key with it');
    const settings = leaderboardSettings(options);
    const { key, tags, layout } = settings;
    const storedLayout = new StoredLayout(redis, settings);
    super(redis, {
      keys: tags.map((tag) => keys.entries(key, tag)),
      ...(layout.writing.layout === 'lexical' && { vectorKeys: tags.map((tag) => keys.vectors(key, tag)) }),
      layout,
      ranking: settings.ranking,
      firstRank: settings.firstRank,
      ready: () => storedLayout.compare(),
      estimates: options.estimates,
      clock: settings.clock,
    });
    this.settings = settings;
    this.storedLayout = storedLayout;
    this.writer = new BoardWriter(redis, settings);
  }

  /** Gives the member this score, reached at `at` (default: now). One round trip. */
  set<O extends Moment<S> = undefined>(member: string, score: S, at?: O): Promise<WriteAnswer<S, O>> {
    return this.writeOne('set', { member, score }, at);
  }

  /**
   * Adds to the member's score, from 0 if there is none: one amount, or one for each dimension. The time of the entry
   * becomes `at` (default: now) unless it is later already. One round trip.
   */
  increment<O extends Moment<S> = undefined>(member: string, by: S, at?: O): Promise<WriteAnswer<S, O>> {
    return this.writeOne('increment', { member, score: by }, at);
  }

  /** Gives the member this score if it is better, as a whole; otherwise changes nothing. One round trip. */
  best<O extends Moment<S> = undefined>(member: string, score: S, at?: O): Promise<WriteAnswer<S, O>> {
    return this.writeOne('best', { member, score }, at);
  }

  /**
   * Writes many lines by the board's `update`, those of one member in their order. With a condition it returns for each
   * line the entry after it, and `written`; null if there is no entry. One round trip for each 1,000 lines of a shard,
   * the shards side by side: 10,000 lines are 10 of them on one shard, about 2 on 8; and with a `limit` on several
   * shards what finds and removes the surplus. If a line cannot fit, the call is rejected and changes nothing. If a sum
   * turns out not to fit, its batch of 1,000 and the later ones of its shard are rejected; earlier batches and other
   * shards are written.
   */
  async setMany<O extends ConditionOption<S> | undefined = undefined>(
    lines: readonly ScoreLine<S>[],
    options?: O,
  ): Promise<O extends ConditionOption ? (ConditionallyWritten<S> | null)[] : void> {
    const only = options && this.conditionOf(options.only);
    const results = await this.write(this.settings.update, lines, { only, answers: options !== undefined });
    const answer = options && results.map((result) => this.conditionallyWritten(result));
    return answer as O extends ConditionOption ? (ConditionallyWritten<S> | null)[] : void;
  }

  /** Removes members; returns how many there were. A round trip for each 2,000 of a shard. */
  async remove(...members: string[]): Promise<number> {
    members.forEach(checkedMember);
    if (members.length === 0) return 0;
    await this.storedLayout.compare();
    return this.writer.remove(members);
  }

  /** Removes entries with scores from `min` to `max`, both included; returns how many. A round trip for each 2,000. */
  async removeBetween(min: S, max: S): Promise<number> {
    const { from, to } = this.layout.between(min, max);
    await this.storedLayout.compare();
    return this.writer.removeBetween(from, to);
  }

  /** Removes all entries; what {@link expireAt} set stays. One round trip. */
  async clear(): Promise<void> {
    await this.storedLayout.compare();
    await this.writer.clear();
  }

  /**
   * Makes this board of all members of the sources, itself among them if you like: what it held before is replaced,
   * each shard at once. A member's score is aggregated over the sources that hold it, each times its weight: `sum` in
   * doubles, in the order of the sources; `min` and `max` by number, of several dimensions as whole vectors, the first
   * deciding. Of packed boards `reachedAt` is the latest of those summed, or that of the score taken, of equal ones the
   * earliest. Returns how many entries the board has then.
   *
   * The members pass through this process, 2,000 of each source in memory at a time: a source may lie on another Redis.
   * About 4 round trips for each 1,000 entries of a shard of each source. If a source changes meanwhile, entries that
   * move may be missed. Writes of others to this board meanwhile are lost.
   * @throws LeaderboardError `invalidArgument` for sources of another number of shards or another kind of layout, or
   * none at all; `scoreOutOfRange` where a score, or its moment, does not fit this board. Either changes nothing.
   */
  mergeFrom(sources: readonly MergeSource<S>[], options: MergeOptions = {}): Promise<number> {
    return this.rebuild(sources, options, false);
  }

  /** As {@link mergeFrom}, for the members that all sources hold. */
  intersectFrom(sources: readonly MergeSource<S>[], options: MergeOptions = {}): Promise<number> {
    return this.rebuild(sources, options, true);
  }

  /**
   * Sets when the board expires, also for entries written later: writes after that moment vanish at once. This holds
   * for a week after the moment, in the same number of shards, unless a later moment is set; then the key is as new.
   * One round trip.
   */
  async expireAt(date: Date): Promise<void> {
    const ms = checkedExpiry(date, 'invalidArgument');
    await this.storedLayout.claim();
    await this.writer.expireAt(ms, this.settings.clock.now());
    this.expiry = Promise.resolve();
  }

  /**
   * All entries in rank order, 500 in memory at a time, and on several shards some more of each: 712 lines on 8. One
   * round trip for each 500, on a Cluster seldom two.
   */
  async *all(options?: RankingOption): AsyncGenerator<Entry<S>, void, undefined> {
    let cursor: string | null = null;
    do {
      const page: BoardPage<S> = await this.after(cursor, streamPage, options);
      yield* page.entries;
      cursor = page.next;
    } while (cursor !== null);
  }

  /** Before entries are written: agrees with the stored layout, and sets the option's expiry where nothing says it. */
  private async claim(): Promise<void> {
    if (await this.storedLayout.claim()) this.expiry = undefined;
    const { expireAt, clock } = this.settings;
    if (expireAt === null) return;
    this.expiry ??= this.writer.expireAt(expireAt, clock.now()).catch((error: unknown) => {
      this.expiry = undefined;
      throw error;
    });
    await this.expiry;
  }

  private async rebuild(
    sources: readonly MergeSource<S>[],
    options: MergeOptions,
    everywhere: boolean,
  ): Promise<number> {
    const { tags, limit } = this.settings;
    const aggregate = checkedAggregate(options.aggregate);
    if (sources.length === 0) throw invalidArgument('sources is empty: name at least one board.');
    const checked = sources.map(({ board, weight = 1 }) => ({ shards: board.shards, weight }));
    checked.forEach((source, at) => checkSource(source, this.shards, at));
    await this.claim();
    const writer = new BoardWriter(this.redis, { ...this.settings, build: randomUUID() });
    try {
      const built: boolean[] = [];
      for (const shard of tags.keys()) {
        built.push(await buildShard(shard, checked, writer, { layout: this.layout, aggregate, everywhere }));
      }
      await writer.replace(built);
    } catch (error) {
      await writer.clear();
      throw error;
    }
    if (limit > 0 && tags.length > 1) await this.trim();
    return this.size();
  }

  private async writeOne<O extends Moment<S>>(
    update: Update,
    line: { readonly member: string; readonly score: S },
    options: O | undefined,
  ): Promise<WriteAnswer<S, O>> {
    const { at, only }: WriteOptions<S> = options instanceof Date ? { at: options } : (options ?? {});
    const lines = [at ? { ...line, at } : line];
    const isTold = options !== undefined && !(options instanceof Date);
    // `best` without a condition does not tell on every layout whether it wrote.
    const condition = only ?? (isTold && update === 'best' ? 'better' : undefined);
    const [result] = await this.write(update, lines, { only: condition && this.conditionOf(condition), answers: true });
    const answer =
      result && (isTold ? this.conditionallyWritten(result) : result.line && this.layout.read(result.line));
    return answer as WriteAnswer<S, O>;
  }

  /** A condition as the writing script has it. */
  private conditionOf(only: WriteCondition<S>): string {
    if (typeof only === 'object') return `=${this.layout.groupOf(only.score)}`;
    if (conditions.includes(only)) return only;
    throw invalidArgument(`only is "${String(only)}": use one of ${conditions.join(', ')}, or { score }.`);
  }

  private conditionallyWritten({ line, written }: LineWritten): ConditionallyWritten<S> | null {
    return line && { ...this.layout.read(line), written };
  }

  private async write(update: Update, lines: readonly ScoreLine<S>[], options: WriteRequest): Promise<LineWritten[]> {
    const now = this.settings.clock.now();
    const checked = lines.map(({ member, score, at }) => ({
      member: checkedMember(member),
      argument: this.layout.argument(score, update, at ? at.getTime() : now),
    }));
    if (checked.length === 0) return [];
    await this.claim();
    const result = await this.writer.write(update, checked, options);
    const { limit, tags } = this.settings;
    // A shard alone keeps to the limit by itself, unless it is left halfway.
    if (limit > 0 && (tags.length > 1 || 'outOfRange' in result)) await this.trim();
    if ('outOfRange' in result) {
      const { member, score } = lines[result.outOfRange] as ScoreLine<S>;
      throw scoreOutOfRange(
        `Adding ${JSON.stringify(score)} to ${JSON.stringify(member)} leaves what this board holds.`,
      );
    }
    return result.results;
  }

  /** Removes what falls off; where others are lowered or removed meanwhile, as many too many may fall. */
  private async trim(): Promise<void> {
    const [first] = (await this.shards.at(this.settings.limit, 1)).lines;
    if (first) await this.writer.removeBetween(beforeLine(first));
  }
}

const conditions: readonly string[] = ['better', 'different', 'present', 'absent'] satisfies WriteCondition[];
