import { dayMs } from '../../time/days';
import { keys, ledgerStem } from '../../keys/keys';
import { sendTogether } from '../../redis/send';
import type { RedisClient } from '../../redis/run';
import { served } from '../../redis/served';
import { isAdjustmentField } from './adjustment';
import type { BoardPeriod, Calendar } from '../periods/calendar';
import type { LedgerSettings } from '../model/ledger-options';
import type { WrittenBoards } from '../periods/written-boards';

/** A grant of a member's that stands. */
export interface StandingGrant {
  readonly field: string;
  readonly points: number;
  /** The latest grant seen: a repeated grant moves this moment forward and gives no points. */
  readonly grantedAtMs: number;
}

/** Finds a member's standing grants, and the partitions on which they may count. */
export class StandingGrants {
  constructor(
    private readonly redis: RedisClient,
    private readonly settings: LedgerSettings,
    private readonly calendar: Calendar,
    private readonly boards: WrittenBoards,
  ) {}

  /**
   * Standing grants made from a moment on, as far as ledgers are kept. On the first day this includes older grants that
   * were repeated since: the ledger keeps only the latest moment.
   */
  async since(member: string, shard: number, sinceMs: number): Promise<StandingGrant[]> {
    const { prefix, tags, clock, clockSkewMs, ledgerRetentionMs } = this.settings;
    const tag = tags[shard] as string;
    const nowMs = clock.now();
    const last = this.calendar.dayOf(nowMs + 2 * clockSkewMs).number;
    const oldestMs = ledgerRetentionMs === null ? 0 : nowMs - ledgerRetentionMs - dayMs;
    const first = this.calendar.dayOf(Math.max(0, sinceMs, oldestMs)).number;
    const grants: StandingGrant[] = [];
    for (const number of await this.days(keys.days(prefix, tag, member), first, last)) {
      const day = this.calendar.dayNumbered(number);
      if (!day) continue;
      const key = ledgerStem(prefix, tag, day.compactKey) + member;
      const fields = await served(this.redis, key, () => this.redis.hgetall(key));
      for (const [field, value] of Object.entries(fields)) {
        // Only an operator takes an adjustment back.
        if (isAdjustmentField(field)) continue;
        const [, points, grantedAtMs] = /^([1-9]\d*)(?:v\d+)?;(\d+)/.exec(value) ?? [];
        if (grantedAtMs === undefined || Number(grantedAtMs) < sinceMs) continue;
        grants.push({ field, points: Number(points), grantedAtMs: Number(grantedAtMs) });
      }
    }
    return grants;
  }

  /**
   * By partition key, the one partition on which the member stands on the day that holds `atMs`. Ledgers do not know
   * the partition of a grant: a member who stands on several partitions gets none.
   */
  async partsAt(member: string, shard: number, atMs: number): Promise<Record<string, string>> {
    if (this.settings.partitionKeys.length === 0) return {};
    const day = this.calendar.dayOf(atMs);
    const parts = (await this.boards.of(shard)).filter(
      ({ partition, period }) => partition !== null && period.holds(day.startMs),
    );
    const scores = await sendTogether(
      this.redis,
      parts.flatMap(({ keys: shown, asideKeys }) =>
        [shown, asideKeys].map((ofShards) => ['zscore', ofShards[shard] as string, member] as const),
      ),
    );
    const own = parts.filter((_, i) => scores[2 * i] !== null || scores[2 * i + 1] !== null);
    const named = new Map<string, Set<string>>();
    for (const { board, partition } of own as (BoardPeriod & { readonly partition: string })[]) {
      const key = board.partition ?? '';
      named.set(key, (named.get(key) ?? new Set<string>()).add(partition));
    }
    const found: Record<string, string> = {};
    for (const [key, names] of named) {
      const [only, second] = names;
      if (only !== undefined && second === undefined) found[key] = only;
    }
    return found;
  }

  private async days(list: string, first: number, last: number): Promise<number[]> {
    if (this.settings.indexesDays) {
      const listed = await served(this.redis, list, () =>
        this.redis.zrange(list, String(first), String(last), 'BYSCORE'),
      );
      return listed.map(Number);
    }
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i);
  }
}
