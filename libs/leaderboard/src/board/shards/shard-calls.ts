import clusterKeySlot from 'cluster-key-slot';
import type { Cluster } from 'ioredis';
import { shardOf } from '../../keys/shard';
import { chunksOf, groupBy } from '../../lists/lists';
import { type Argument, type Given, type RedisClient, behind, runScript } from '../../redis/run';
import { sendTogether, type Command } from '../../redis/send';
import { splitOf } from '../../redis/served';
import type { Names, Script } from '../../scripts/script';
import { boardScripts as scripts } from '../../scripts/board.generated';

/** A script over any number of a board's shards. */
export type ShardsScript<A extends Names> = Script<{ readonly shards: 'list' }, A>;

/** Shards that one script call may read together. */
export type ShardGroup = readonly number[];

/** A script's call over some shards: their keys and arguments, and what is made of its reply. */
export interface ShardsCall<A extends Names> {
  readonly script: ShardsScript<A>;
  /** The keys of a shard. Default: its sorted set. */
  readonly keysOf?: ((group: ShardGroup) => readonly string[]) | undefined;
  readonly argsOf: (group: ShardGroup) => Given<A, Argument>;
  readonly take: (reply: unknown, group: ShardGroup) => void;
}

/** A script's call over members: which are numbered by their shard in the call, from 1, each before its id. */
export interface MembersCall<A extends Names> extends Pick<ShardsCall<A>, 'script' | 'keysOf'> {
  readonly argsOf: (members: readonly (string | number)[], group: ShardGroup) => Given<A, Argument>;
  readonly most: number;
  readonly width: number;
}

/** The keys of one board. */
export interface ShardKeys {
  /** The board's sorted sets, one a shard. */
  readonly keys: readonly string[];
  /** On lexical boards: the hashes of member -> vector, one a shard. */
  readonly vectorKeys?: readonly string[] | undefined;
  /** The shard that holds a member: an index of `keys`. Default: by the member's id. */
  readonly shardOf?: (member: string) => number;
  /** Awaited before anything is sent; if it rejects, so does the call. */
  readonly ready?: (() => Promise<void>) | undefined;
}

interface Spanned extends Names {
  readonly spanned: 'list';
}

/** The script with keys of several slots that one master serves. */
const spanning = behind(scripts.spanSlots, { keys: {}, args: { spanned: 'list' } }) as unknown as <A extends Names>(
  script: ShardsScript<A>,
) => ShardsScript<A & Spanned>;

/** Sends what reads a board's shards: one call reads all that one server has. Calls to several are of no one moment. */
export class ShardCalls {
  /** Whether one script call may read, and change, all shards. */
  readonly areTogether: boolean;
  /** The shard that holds a member. */
  readonly shardOf: (member: string) => number;
  private readonly slots: readonly number[];
  /** The nodes of the shards when they were last grouped. */
  private masters: readonly (string | undefined)[] = [];
  private grouped: readonly ShardGroup[];
  /** Whether a master lets one call read several shards. */
  private spans = true;

  constructor(
    private readonly redis: RedisClient,
    private readonly options: ShardKeys,
  ) {
    const { keys } = options;
    this.areTogether = !redis.isCluster || keys.length === 1;
    this.shardOf = options.shardOf ?? ((member) => shardOf(member, keys.length));
    this.slots = this.areTogether ? [] : keys.map((key) => clusterKeySlot(key));
    this.grouped = [[...keys.keys()]];
  }

  /** All shards, in the groups that one script call each may read now. */
  groups(): readonly ShardGroup[] {
    if (this.areTogether) return this.grouped;
    const { slots } = this.redis as Cluster;
    const { masters } = this;
    if (masters.length > 0 && this.slots.every((slot, shard) => slots[slot]?.[0] === masters[shard])) {
      return this.grouped;
    }
    this.masters = this.slots.map((slot) => slots[slot]?.[0]);
    const masterOf = (shard: number) => (this.spans ? (this.masters[shard] ?? shard) : shard);
    this.grouped = [...groupBy(this.slots.keys(), masterOf).values()];
    return this.grouped;
  }

  /** How many shards one call reads at most. */
  widest(): number {
    return Math.max(...this.groups().map(({ length }) => length));
  }

  /** Sends commands, each of one shard: one round trip. */
  async send(commands: readonly Command[]): Promise<unknown[]> {
    await this.options.ready?.();
    return sendTogether(this.redis, commands);
  }

  /**
   * Runs a script over all shards, in one call for each group: what it replies of each, in the shards' order; or over
   * some of one slot, in one call.
   */
  async run<A extends Names>(
    script: ShardsScript<A>,
    argsOf: (group: ShardGroup) => Given<A, Argument>,
    of?: readonly number[],
  ): Promise<unknown[]> {
    if (of) return (await this.runIn(script, { shards: this.keysOf(of) }, argsOf(of))) as unknown[];
    const found: unknown[] = [];
    const take = (reply: unknown, group: ShardGroup) => scatter(found, reply as unknown[], group);
    await this.call(this.groups(), { script, argsOf, take });
    return found;
  }

  /** Runs a script over some shards of one slot, or of one Redis, in one call. */
  async runIn<K extends Names, A extends Names>(
    script: Script<K, A>,
    keys: Given<K, string>,
    args: Given<A, Argument>,
  ): Promise<unknown> {
    await this.options.ready?.();
    return runScript(this.redis, script, keys, args);
  }

  /** Makes a call for each group. Where a master does not serve all of a group's shards, they are read one by one. */
  async call<A extends Names>(groups: readonly ShardGroup[], call: ShardsCall<A>): Promise<void> {
    const { script, argsOf, take, keysOf = (group: ShardGroup) => this.keysOf(group) } = call;
    const callOne = async (group: ShardGroup) =>
      take(await this.runIn(script, { shards: keysOf(group) }, argsOf(group)), group);
    await Promise.all(
      groups.map(async (group) => {
        if (this.areTogether || group.length === 1) return callOne(group);
        const [first, ...others] = keysOf(group) as [string, ...string[]];
        const args = { ...argsOf(group), spanned: [...others, others.length] } as Given<A & Spanned, Argument>;
        let reply: unknown;
        try {
          reply = await this.runIn(spanning(script), { shards: [first] }, args);
        } catch (error) {
          const split = splitOf(error);
          if (split === null) throw error;
          if (split === 'refused') {
            this.spans = false;
            this.masters = [];
          }
          return Promise.all(group.map((shard) => callOne([shard])));
        }
        take(reply, group);
      }),
    );
  }

  /** Asks those shards that have them about members, at most `most` a call: `width` values of each, in their order. */
  async ofMembers<A extends Names>(members: readonly string[], asked: MembersCall<A>): Promise<unknown[][]> {
    const { most, width, argsOf, ...call } = asked;
    const found: unknown[][] = [];
    await Promise.all(
      chunksOf([...members.keys()], most).map((chunk) => {
        const byShard = groupBy(chunk, (place) => this.shardOf(members[place] as string));
        const placesIn = (shard: number) => byShard.get(shard) ?? [];
        const groups = this.groups().map((group) => group.filter((shard) => this.areTogether || byShard.has(shard)));
        const named = (group: ShardGroup) =>
          group.flatMap((shard, i) => placesIn(shard).flatMap((place) => [i + 1, members[place] as string]));
        return this.call(
          groups.filter(({ length }) => length > 0),
          {
            ...call,
            argsOf: (group) => argsOf(named(group), group),
            take: (reply, group) =>
              group.flatMap(placesIn).forEach((place, i) => {
                found[place] = (reply as unknown[]).slice(width * i, width * (i + 1));
              }),
          },
        );
      }),
    );
    return found;
  }

  keysOf(group: ShardGroup): readonly string[] {
    return group.map((shard) => this.options.keys[shard] as string);
  }
}

/** Puts what was replied of each shard of a group where it lies in the order of all shards. */
export function scatter<T>(found: T[], reply: readonly T[], group: ShardGroup): void {
  group.forEach((shard, i) => (found[shard] = reply[i] as T));
}
