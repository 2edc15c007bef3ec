import { type LeaderboardError, unavailable } from '../../errors/errors';
import { chunksOf, groupBy, sum } from '../../lists/lists';
import { keys as keyNames, nameInShard } from '../../keys/keys';
import { type RedisClient, runScript } from '../../redis/run';
import { scanEntries, scanKeys } from '../../redis/scan';
import { sendTogether, type Command } from '../../redis/send';
import { scripts } from '../../scripts/scripts.generated';
import { served } from '../../redis/served';
import { shardOf, shardTags } from '../../keys/shard';
import { messagePack, Places, type CommitCommand } from '../../ledger';
import { kindOf, memberOf } from './moved-kinds';

/** Where a shard is in a resharding. */
export type ShardStep = 'copying' | 'sealed' | 'filling' | 'open';

export interface ShardCopyOptions {
  readonly prefix: string;
  readonly from: number;
  readonly to: number;
  /** The number of this run of the command. */
  readonly run: string;
  /** Breaks it off between two calls, as a kill does. */
  readonly signal?: AbortSignal | undefined;
}

/** Of the keys of one shard some, by what follows the tag. */
export interface NamesOfTag {
  readonly tag: string;
  readonly names: readonly string[];
}

/** A member's score; null: no entry. */
type MemberScore = readonly [member: string, score: string | null];

const entriesAScan = 1_000;
/** Keys that are read, and written, together: ledgers of a few hundred bytes each. */
const keysACall = 64;
const entriesACall = 256;
const namesACall = 500;

/** Another run of the command has taken over: this one must stop. */
export function overtaken(): LeaderboardError {
  return unavailable('Another run of the command has taken over: this one ends.');
}

/** Copies shards into others; each write names its shard's state: a run that was overtaken changes nothing. */
export class ShardCopy {
  readonly sources: readonly string[];
  readonly targets: readonly string[];

  constructor(
    private readonly redis: RedisClient,
    private readonly options: ShardCopyOptions,
  ) {
    this.sources = shardTags(options.from);
    this.targets = shardTags(options.to);
  }

  /** Turns shards to a step. @throws LeaderboardError `unavailable` if a later run has taken over. */
  async turn(tags: readonly string[], step: ShardStep): Promise<void> {
    const { run } = this.options;
    await Promise.all(
      tags.map(async (tag) => {
        const turned = await runScript(this.redis, scripts.turnShard, { state: this.stateKey(tag) }, { run, step });
        if (turned !== 1) throw overtaken();
      }),
    );
  }

  /** All keys of shards, in pages; a key may come twice. */
  async *names(tags: readonly string[]): AsyncGenerator<NamesOfTag[]> {
    const { prefix } = this.options;
    for await (const page of scanKeys(this.redis, `{${prefix}:*}:*`)) {
      const found = page.flatMap((key) => nameInShard({ prefix, tags }, key) ?? []);
      yield [...groupBy(found, ({ tag }) => tag)].map(([tag, own]) => ({ tag, names: own.map(({ name }) => name) }));
    }
  }

  /** Drops keys of a shard that is in a step of this run, but for its state; returns how many. */
  async drop({ tag, names }: NamesOfTag, step: ShardStep): Promise<number> {
    const own = names.filter((name) => name !== 'moving');
    for (const chunk of chunksOf(own, namesACall)) {
      const commands = chunk.map((name): CommitCommand => ['UNLINK', this.key(tag, name)]);
      await this.runIn(tag, step, commands);
    }
    return own.length;
  }

  /** Copies keys of a source as they are now; tells how many entries and keys they were. */
  async copy({ tag, names }: NamesOfTag): Promise<number> {
    const byKind = groupBy(names, kindOf);
    const own = [...(byKind.get('member') ?? []), ...(byKind.get('mark') ?? [])];
    let copied = own.length;
    await Promise.all(chunksOf(own, keysACall).map((chunk) => this.copyKeys(tag, chunk)));
    const ofMember = (member: string) => [this.targetOf(member)];
    for (const name of byKind.get('names') ?? []) await this.copyEntries(tag, name, () => this.targets);
    for (const name of byKind.get('members') ?? []) copied += await this.copyEntries(tag, name, ofMember);
    for (const name of byKind.get('naming') ?? [])
      copied += await this.copyEntries(tag, name, (entry) => ofMember(memberOf(entry)));
    return copied;
  }

  /** Copies again every key that is noted as changed when this begins; returns how many. */
  async copyWritten(tag: string, step: 'copying' | 'sealed'): Promise<number> {
    let copied = 0;
    for (;;) {
      this.options.signal?.throwIfAborted();
      const [names, members] = await Promise.all([this.take(tag, 'keys', step), this.take(tag, 'members', step)]);
      await Promise.all([
        names.length > 0 && this.copy({ tag, names }),
        members.length > 0 && this.copyMembers(tag, members),
      ]);
      copied += names.length + members.length;
      if (names.length + members.length < namesACall) return copied;
    }
  }

  /** How much was written to the sources and not yet copied again. */
  async written(): Promise<number> {
    const noted = this.sources.flatMap((tag) =>
      (['keys', 'members'] as const).map((what) => keyNames.written(this.options.prefix, tag, what)),
    );
    const sizes = noted.map((key): Command => ['scard', key]);
    return sum((await sendTogether(this.redis, sizes)) as number[]);
  }

  private async take(tag: string, what: 'keys' | 'members', step: ShardStep): Promise<string[]> {
    const written = keyNames.written(this.options.prefix, tag, what);
    const [taken] = await this.runIn(tag, step, [['SPOP', written, namesACall]]);
    return taken as string[];
  }

  /** Copies complete keys: a member's to its shard, marks to all; what is gone is removed there, except marks. */
  private async copyKeys(tag: string, names: readonly string[]): Promise<void> {
    // Read first: of what expires in between nothing is found to be copied.
    const expiries = await this.expiries(tag, names);
    const found: (Buffer | null)[] = await Promise.all(
      names.map((name) => served(this.redis, this.key(tag, name), (key) => this.redis.dumpBuffer(key))),
    );
    const copies = names.flatMap((name, i) => {
      const copy = found[i] ?? null;
      const isMark = kindOf(name) === 'mark';
      if (isMark && copy === null) return [];
      const targets = isMark ? this.targets : [this.targetOf(memberOf(name))];
      return targets.map((target) => {
        const key = this.key(target, name);
        const restore = ['RESTORE', key, expiries[i] ?? '0', copy ?? '', 'REPLACE', 'ABSTTL'] as const;
        return { target, command: copy === null ? (['UNLINK', key] as const) : restore };
      });
    });
    await Promise.all(
      [...groupBy(copies, ({ target }) => target)].map(([target, own]) =>
        this.runIn(
          target,
          'filling',
          own.map(({ command }) => command),
        ),
      ),
    );
  }

  /** All entries of a sorted set, each to those shards that are to have it. */
  private async copyEntries(tag: string, name: string, targetsOf: (entry: string) => readonly string[]) {
    const [expireAt = '0'] = await this.expiries(tag, [name]);
    let copied = 0;
    for await (const entries of scanEntries(this.redis, this.key(tag, name), entriesAScan)) {
      await this.placeAll(name, expireAt, entries, targetsOf);
      copied += entries.length;
    }
    return copied;
  }

  /** Copies the members' entries of the written sets. */
  private async copyMembers(tag: string, members: readonly string[]): Promise<void> {
    // Asked for after the members were taken: it names every set that they were written to.
    const list = keyNames.written(this.options.prefix, tag, 'sets');
    const names = await served(this.redis, list, (key) => this.redis.smembers(key));
    const expiries = await this.expiries(tag, names);
    await Promise.all(
      names.map(async (name, i) => {
        const scores = await served(this.redis, this.key(tag, name), (key) => this.redis.zmscore(key, ...members));
        const entries = members.map((member, m): MemberScore => [member, scores[m] ?? null]);
        await this.placeAll(name, expiries[i] ?? '0', entries, (member) => [this.targetOf(member)]);
      }),
    );
  }

  private async placeAll(
    name: string,
    expireAt: string,
    entries: readonly MemberScore[],
    targetsOf: (entry: string) => readonly string[],
  ): Promise<void> {
    const placed = entries.flatMap((entry) => targetsOf(entry[0]).map((target) => ({ target, entry })));
    await Promise.all(
      [...groupBy(placed, ({ target }) => target)].map(async ([target, all]) => {
        const set = this.key(target, name);
        for (const chunk of chunksOf(all, entriesACall)) {
          const commands = chunk.map(({ entry: [member, score] }): CommitCommand =>
            score === null ? ['ZREM', set, member] : ['ZADD', set, score, member],
          );
          if (expireAt !== '0') commands.push(['PEXPIREAT', set, expireAt]);
          await this.runIn(target, 'filling', commands);
        }
      }),
    );
  }

  /** Runs commands on a shard in a step of this run. @throws LeaderboardError `unavailable` if a later run goes on. */
  private async runIn(tag: string, step: ShardStep, commands: readonly CommitCommand[]): Promise<unknown[]> {
    const places = new Places();
    const plan = messagePack(commands.map(([name, key, ...others]) => [name, places.place(key), ...others]));
    const own = { state: this.stateKey(tag), keys: places.others };
    const args = { expected: `${this.options.run}:${step}`, commands: plan };
    const replies = await runScript(this.redis, scripts.runInStep, own, args);
    if (replies === 'LOST') throw overtaken();
    return replies as unknown[];
  }

  private async expiries(tag: string, names: readonly string[]): Promise<string[]> {
    const asked = names.map((name): Command => ['pexpiretime', this.key(tag, name)]);
    return (await sendTogether(this.redis, asked)).map((ms) => String(Math.max(0, Number(ms))));
  }

  private targetOf(member: string): string {
    return this.targets[shardOf(member, this.targets.length)] as string;
  }

  private stateKey(tag: string): string {
    return keyNames.moving(this.options.prefix, tag);
  }

  private key(tag: string, name: string): string {
    return keyNames.named(this.options.prefix, tag, name);
  }
}
