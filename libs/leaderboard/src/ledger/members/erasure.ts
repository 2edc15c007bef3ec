import { compactDay, dayMs } from '../../time/days';
import type { Cluster, Redis } from 'ioredis';
import { chunksOf } from '../../lists/lists';
import { keys, ledgerStem, nameInShard, windowField, windowOwners } from '../../keys/keys';
import { asideOf } from '../../keys/rolling-keys';
import type { MemberScripts } from '../sharding/guard';
import type { RedisClient } from '../../redis/run';
import { scripts } from '../../scripts/scripts.generated';
import { served } from '../../redis/served';
import type { Calendar } from '../periods/calendar';
import { ForeignFields, type FieldsNaming } from '../history/foreign-fields';
import { maxDaysScanned, type LedgerSettings } from '../model/ledger-options';
import type { WrittenBoards } from '../periods/written-boards';

/** How much there was of a member, by kind. */
export interface Erased {
  /** Entries on boards of periods, and on parts of them, shown or beside. */
  readonly boards: number;
  /** Entries in rolling windows, and in their drafts and sums. */
  readonly rolling: number;
  /** Days of which the member had a ledger. */
  readonly ledgers: number;
  /** Windows of limits. */
  readonly limits: number;
  /** Lists of the member's days, revokes, adjustments and rebuilt entries. */
  readonly lists: number;
  /** Fields in other members' ledgers and lists of revokes that named the member: they stand, and name nobody. */
  readonly named: number;
}

const setsACall = 1_000;
const keysAScan = 1_000;

/** Takes members out of everything that a ledger has of them. */
export class Erasure {
  private readonly foreign: ForeignFields;

  constructor(
    private readonly redis: RedisClient,
    private readonly settings: LedgerSettings,
    private readonly calendar: Calendar,
    private readonly boards: WrittenBoards,
    private readonly members: MemberScripts,
  ) {
    this.foreign = new ForeignFields(redis, members);
  }

  /** Each step finds by itself what is left, so repeating an interrupted erasure completes it. */
  async erase(member: string, shard: number, naming: FieldsNaming | null): Promise<Erased> {
    const tag = this.settings.tags[shard] as string;
    // The member's entries go first: windows that are built afterwards are built without them.
    const periods = await this.boards.of(shard);
    const boards = await this.eraseFrom(
      tag,
      member,
      periods.flatMap(({ keys: shown, asideKeys }) => [shown[shard] as string, asideKeys[shard] as string]),
    );
    const rolling = await this.eraseFromWindows(member, shard);
    const { prefix } = this.settings;
    for (const key of [keys.excluded(prefix, tag), keys.firstDays(prefix, tag)]) {
      await served(this.redis, key, () => this.redis.zrem(key, member));
    }
    const ledgers = await this.unlink(await this.ledgerKeys(tag, member));
    const { limits, named } = await this.walkKeys(member, naming);
    // One of these lists the member's days, so they go last.
    const own = [keys.revokes, keys.adjusted, keys.rebuilt, keys.days];
    const lists = await this.unlink(own.map((key) => key(prefix, tag, member)));
    return { boards, rolling, ledgers, limits, lists, named };
  }

  /** Takes a member out of rolling windows, drafts and sums; returns out of how many. */
  async eraseFromWindows(member: string, shard: number): Promise<number> {
    const tag = this.settings.tags[shard] as string;
    const windows = await this.boards.windows(shard);
    const named = new Set(windows.flatMap((name) => [name, asideOf(name) ?? name]));
    const sets = [...named].map((name) => keys.windowNamed(this.settings.prefix, tag, name));
    return this.eraseFrom(tag, member, sets);
  }

  /** Takes a member out of boards of the named periods alone. */
  async eraseFrom(tag: string, member: string, sets: readonly string[]): Promise<number> {
    const changes = keys.changes(this.settings.prefix, tag);
    let erased = 0;
    for (const some of chunksOf(sets, setsACall)) {
      const own = { changes, sets: some };
      erased += Number(await this.members.run(scripts.eraseMember, own, { member }, { tag, members: [member] }));
    }
    return erased;
  }

  /** Of every day that a ledger may be kept of, and of those that are listed. */
  private async ledgerKeys(tag: string, member: string): Promise<string[]> {
    const { prefix, clock, clockSkewMs, ledgerRetentionMs } = this.settings;
    const list = keys.days(prefix, tag, member);
    const listed = await served(this.redis, list, () => this.redis.zrange(list, '0', '-1'));
    const nowMs = clock.now();
    const last = this.calendar.dayOf(nowMs + 2 * clockSkewMs).number;
    const kept = Math.min(maxDaysScanned, Math.ceil((ledgerRetentionMs ?? Infinity) / dayMs));
    const numbers = new Set(listed.map(Number));
    for (let number = last - kept - 2; number <= last; number++) if (number >= 0) numbers.add(number);
    return [...numbers].map((number) => {
      const compactKey = compactDay(number);
      return ledgerStem(prefix, tag, compactKey) + member;
    });
  }

  /**
   * Windows are named by subjects and other members too, and fields of other members' ledgers by their givers. No list
   * has them, so this looks at every key of every server, in calls of less than a millisecond, and into every ledger if
   * there is a naming.
   */
  private async walkKeys(
    member: string,
    naming: FieldsNaming | null,
  ): Promise<{ readonly limits: number; readonly named: number }> {
    const { prefix } = this.settings;
    const shards = { prefix, tags: new Set(this.settings.tags) };
    const servers = this.redis.isCluster ? (this.redis as Cluster).nodes('master') : [this.redis as Redis];
    let limits = 0;
    let named = 0;
    // Keys of windows and custom limits (`limit:`), ledgers and lists of revokes; other keys that match name nobody.
    const pattern = `{${prefix}:*}:${naming ? '[lrw][ie]' : '[lw]i'}*`;
    for (const server of servers) {
      let cursor = '0';
      do {
        const [next, found] = await server.scan(cursor, 'MATCH', pattern, 'COUNT', keysAScan);
        cursor = next;
        const own = found.filter((key) => {
          const name = nameInShard(shards, key)?.name ?? '';
          return windowOwners(name).includes(member) || isNamed(windowField(name), naming);
        });
        for (const key of own) limits += await served(this.redis, key, () => this.redis.unlink(key));
        if (naming) named += await this.foreign.rename(found, shards, naming);
      } while (cursor !== '0');
    }
    return { limits, named };
  }

  private async unlink(some: readonly string[]): Promise<number> {
    let gone = 0;
    for (const chunk of chunksOf(some, setsACall)) {
      gone += await served(this.redis, chunk[0] as string, () => this.redis.unlink(...chunk));
    }
    return gone;
  }
}

/** Whether a field names the erased member. */
function isNamed(field: string | null, naming: FieldsNaming | null): boolean {
  return field !== null && naming !== null && naming.renamed(field) !== null;
}
