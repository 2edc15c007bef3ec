import { shardOf } from '../../keys/shard';
import { groupBy } from '../../lists/lists';
import { type RedisClient, checkedClient } from '../../redis/redis-client';
import { whenAll } from '../../redis/when-all';
import { ledgerSettings, type LedgerSettings } from '../model/ledger-options';
import type { LedgerOptions } from '../model/ledger.types';
import { MemberScripts } from '../sharding/guard';
import { ShardsInForce } from '../sharding/shards-in-force';
import { Calendar } from './calendar';
import { PeriodRegistry } from './period-registry';

/** The shared context of one ledger's services. */
export class LedgerContext {
  /** The options with all defaults. */
  readonly settings: LedgerSettings;
  readonly calendar: Calendar;
  readonly registry: PeriodRegistry;
  readonly members: MemberScripts;
  readonly inForce: ShardsInForce;

  /** @throws LeaderboardError `invalidOption`, naming the option, its value and what is allowed. */
  constructor(
    readonly redis: RedisClient,
    options: LedgerOptions,
  ) {
    checkedClient(redis, 'the option prefix');
    this.settings = ledgerSettings(redis, options);
    this.calendar = new Calendar(this.settings);
    this.registry = new PeriodRegistry(redis, this.settings, this.calendar);
    this.members = new MemberScripts(redis, this.settings);
    this.inForce = new ShardsInForce(redis, this.settings, this.members);
  }

  /** The shard that holds everything of `member`. */
  shardOf(member: string): number {
    return shardOf(member, this.settings.tags.length);
  }

  /** The hash tag of the shard. */
  tag(shard: number): string {
    return this.settings.tags[shard] as string;
  }

  /** The hash tag of the member's shard. */
  tagOf(member: string): string {
    return this.tag(this.shardOf(member));
  }

  /** Asks each shard about those of the members that it holds; the answers come in the order of the members. */
  async ofShards<T>(
    members: readonly string[],
    ask: (shard: number, own: readonly string[], places: readonly number[]) => Promise<readonly T[]>,
  ): Promise<T[]> {
    const byShard = groupBy(members.keys(), (place) => this.shardOf(members[place] as string));
    const answers = new Array<T>(members.length);
    await whenAll(
      [...byShard].map(async ([shard, places]) => {
        const own = places.map((place) => members[place] as string);
        const found = await ask(shard, own, places);
        places.forEach((place, i) => (answers[place] = found[i] as T));
      }),
    );
    return answers;
  }
}
