import { keys } from '../../keys/keys';
import { asideOf } from '../../keys/rolling-keys';
import type { MemberScripts } from '../sharding/guard';
import type { RedisClient } from '../../redis/run';
import { scripts } from '../../scripts/scripts.generated';
import { served } from '../../redis/served';
import type { BoardPeriod } from '../periods/calendar';
import type { LedgerSettings } from '../model/ledger-options';
import type { WrittenBoards } from '../periods/written-boards';

/** Where a member's entries lie: on the boards, or in the sets beside them. */
export type Place = 'aside' | 'onBoards';

/** A board of a shard, and the set beside it. */
export interface BoardPair {
  readonly board: string;
  readonly aside: string;
  /** When Redis drops both; 0: never; -1: each when it dropped the other. */
  readonly expireAtMs: number;
}

/** How often entries of a shard were moved from or to the sets beside the boards, and erased, as Redis counts. */
export interface MemberChanges {
  readonly moves: string;
  readonly erasures: string;
}

/** Boards in one script call: it takes Redis about a millisecond. */
const boardsACall = 1_000;

/** Members whose entries lie beside the boards. */
export class ExcludedMembers {
  constructor(
    private readonly redis: RedisClient,
    private readonly settings: LedgerSettings,
    private readonly boards: WrittenBoards,
    private readonly members: MemberScripts,
  ) {}

  /** Whether the member's entries belong beside the boards. One round trip. */
  async isExcluded(member: string, shard: number): Promise<boolean> {
    const key = this.excludedKey(shard);
    return (await served(this.redis, key, () => this.redis.zscore(key, member))) === '1';
  }

  /**
   * Moves a member's entries. Up to 1,000 boards are moved by one script call: to every read, all at one moment. False
   * if another call has moved them elsewhere meanwhile: this one was not finished. Safe to repeat, also where it was
   * cut short.
   */
  async move(member: string, shard: number, place: Place): Promise<boolean> {
    // The second look finds the boards that were first written while the first one was taken.
    for (const look of ['first', 'last']) {
      const pairs = await this.pairs(shard);
      for (let start = 0; start === 0 || start < pairs.length; start += boardsACall) {
        const isLast = start + boardsACall >= pairs.length;
        const step = look === 'first' && start === 0 ? 'begin' : look === 'last' && isLast ? 'end' : 'next';
        const chunk = pairs.slice(start, start + boardsACall);
        const moved = await this.run(shard, chunk, { member, state: place === 'aside' ? 1 : 0, step });
        if (moved < 0) return false;
      }
    }
    return true;
  }

  /** How often entries of a shard were changed. One round trip. */
  async changesOf(shard: number): Promise<MemberChanges> {
    const key = keys.changes(this.settings.prefix, this.settings.tags[shard] as string);
    const [moves, erasures] = await served(this.redis, key, () => this.redis.hmget(key, 'moves', 'erasures'));
    return { moves: moves ?? '0', erasures: erasures ?? '0' };
  }

  private async pairs(shard: number): Promise<BoardPair[]> {
    const { prefix, tags } = this.settings;
    const tag = tags[shard] as string;
    const [periods, windows] = await Promise.all([this.boards.of(shard), this.boards.windows(shard)]);
    const ofWindows = windows.flatMap((name): BoardPair[] => {
      const aside = asideOf(name);
      if (aside === null) return [];
      const [board, beside] = [name, aside].map((one) => keys.windowNamed(prefix, tag, one)) as [string, string];
      return [{ board, aside: beside, expireAtMs: -1 }];
    });
    return [...ofWindows, ...periods.map((period) => pairOf(period, shard))];
  }

  private async run(
    shard: number,
    pairs: readonly BoardPair[],
    { member, state, step }: { readonly member: string; readonly state: 0 | 1; readonly step: string },
  ): Promise<number> {
    const tag = this.settings.tags[shard] as string;
    const own = {
      excluded: this.excludedKey(shard),
      changes: keys.changes(this.settings.prefix, tag),
      erased: keys.erased(this.settings.prefix, tag),
      boards: pairs.flatMap(({ board, aside }) => [board, aside]),
    };
    const nowMs = this.settings.clock.now();
    const args = { member, state, step, nowMs, expireAtMs: pairs.map(({ expireAtMs }) => expireAtMs) };
    return Number(await this.members.run(scripts.excludeMember, own, args, { tag, members: [member] }));
  }

  private excludedKey(shard: number): string {
    return keys.excluded(this.settings.prefix, this.settings.tags[shard] as string);
  }
}

function pairOf({ keys: boards, asideKeys, expireAtMs }: BoardPeriod, shard: number): BoardPair {
  return { board: boards[shard] as string, aside: asideKeys[shard] as string, expireAtMs };
}
