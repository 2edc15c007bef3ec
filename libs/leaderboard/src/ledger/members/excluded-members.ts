import { setTimeout as delay } from 'node:timers/promises';
import { checkedMember, keys } from '../../keys/keys';
import { sum } from '../../lists/lists';
import { scripts } from '../../scripts/scripts.generated';
import { served } from '../../redis/served';
import type { LedgerContext } from '../periods/ledger-context';
import type { SetPair, WrittenBoards } from '../periods/written-boards';
import { claimMs, pauseMs } from '../recording/commit';

/** Where a member's entries lie: on the boards, or in the sets beside them. */
export type Place = 'aside' | 'onBoards';

/** Boards in one script call: it takes Redis about a millisecond. */
const boardsACall = 1_000;

/** What exclude-member.lua returns while another call has claimed the member: that one goes first. */
const isClaimed = -2;

/** Members whose entries lie beside the boards. */
export class ExcludedMembers {
  constructor(
    private readonly ledger: LedgerContext,
    private readonly boards: WrittenBoards,
  ) {}

  /** Whether {@link move} keeps the member off the boards. One round trip. */
  async has(member: string): Promise<boolean> {
    const { redis, settings } = this.ledger;
    const excluded = keys.excluded(settings.prefix, this.ledger.tagOf(checkedMember(member)));
    return (await served(redis, excluded, (key) => redis.zscore(key, member))) === '1';
  }

  /**
   * Excludes a member from all boards, or restores them. Entries of an excluded member lie in sets beside the boards,
   * and so do their new points. On up to 1,000 boards, periods and partitions counted, all reads see the move at one
   * moment. About six round trips. Safe to repeat, also after an interruption. False if a call in the other direction
   * came between: then that call decides.
   */
  async move(member: string, place: Place): Promise<boolean> {
    checkedMember(member);
    return this.ledger.inForce.inShards(() => this.moveIn(this.ledger.tagOf(member), member, place));
  }

  /** How often members of a shard were taken off boards for good, as Redis counts. One round trip. */
  async erasuresOf(shard: number): Promise<string> {
    const { redis, settings } = this.ledger;
    const counts = keys.changes(settings.prefix, this.ledger.tag(shard));
    return (await served(redis, counts, (key) => redis.hget(key, 'erasures'))) ?? '0';
  }

  /** How often members were taken off boards for good, so far. One round trip. */
  async countErasures(): Promise<number> {
    const ofShards = await Promise.all([...this.ledger.settings.tags.keys()].map((shard) => this.erasuresOf(shard)));
    return sum(ofShards.map(Number));
  }

  private async moveIn(tag: string, member: string, place: Place): Promise<boolean> {
    // The second look finds the boards that were first written while the first one was taken.
    for (const look of ['first', 'last']) {
      const pairs = await this.pairs(tag);
      for (let start = 0; start === 0 || start < pairs.length; start += boardsACall) {
        const isLast = start + boardsACall >= pairs.length;
        const step = look === 'first' && start === 0 ? 'begin' : look === 'last' && isLast ? 'end' : 'next';
        const chunk = pairs.slice(start, start + boardsACall);
        const moved = await this.run(tag, chunk, { member, state: place === 'aside' ? 1 : 0, step });
        if (moved < 0) return false;
      }
    }
    return true;
  }

  private async pairs(tag: string): Promise<SetPair[]> {
    const found = await Promise.all([this.boards.windows(tag), this.boards.of(tag)]);
    return found.flat().filter(([, aside]) => aside !== null);
  }

  private async run(
    tag: string,
    pairs: readonly SetPair[],
    { member, state, step }: { readonly member: string; readonly state: 0 | 1; readonly step: string },
  ): Promise<number> {
    const { settings, members } = this.ledger;
    const own = {
      excluded: keys.excluded(settings.prefix, tag),
      erased: keys.erased(settings.prefix, tag),
      claims: keys.claims(settings.prefix, tag),
      boards: pairs.flat() as string[],
    };
    const args = { member, state, step, nowMs: settings.clock.now() };
    for (const untilMs = performance.now() + claimMs; ;) {
      const waits = performance.now() < untilMs ? 1 : 0;
      const moved = Number(
        await members.run(scripts.excludeMember, own, { ...args, waits }, { tag, members: [member] }),
      );
      if (moved !== isClaimed) return moved;
      await delay(pauseMs);
    }
  }
}
