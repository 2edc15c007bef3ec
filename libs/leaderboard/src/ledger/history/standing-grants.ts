import { dayMs } from '../../time/days';
import { checkedMember, keys } from '../../keys/keys';
import { sendTogether } from '../../redis/send';
import { served } from '../../redis/served';
import { readLedger } from '../pages/read-pages';
import type { ColdRecall } from '../cold/cold-recall';
import type { LedgerContext } from '../periods/ledger-context';
import type { WrittenBoards } from '../periods/written-boards';
import { isAdjustmentField } from './adjustment';
import { fieldsIn, standingOf } from './ledger-lines';

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
    private readonly ledger: LedgerContext,
    private readonly boards: WrittenBoards,
    private readonly cold: ColdRecall,
  ) {}

  /**
   * A member's standing grants from a moment on, those of 0 points too, as far as ledgers are kept. On the first day
   * this includes older grants that were repeated since, without points: the ledger keeps only the latest moment. A
   * round trip a day, and one for each eight pages.
   */
  async since(member: string, sinceMs: number): Promise<StandingGrant[]> {
    checkedMember(member);
    return this.ledger.inForce.inShards(async () => {
      const { redis, settings, calendar } = this.ledger;
      const { clock, clockSkewMs, keptLedgersMs } = settings;
      const tag = this.ledger.tagOf(member);
      const nowMs = clock.now();
      const last = calendar.dayOf(nowMs + 2 * clockSkewMs).number;
      const oldestMs = keptLedgersMs === null ? 0 : nowMs - keptLedgersMs - dayMs;
      const first = calendar.dayOf(Math.max(0, sinceMs, oldestMs)).number;
      const grants: StandingGrant[] = [];
      for (const number of await this.days(tag, member, first, last)) {
        const day = calendar.dayNumbered(number);
        if (!day) continue;
        const own = { tag, dayKey: day.compactKey, member };
        for (const [field, value] of fieldsIn(await readLedger(redis, settings, own), number, settings)) {
          // Only an operator takes an adjustment back.
          if (isAdjustmentField(field)) continue;
          const { points, version, grantedAtMs } = standingOf(value);
          if (version === null || grantedAtMs === null || grantedAtMs < sinceMs) continue;
          grants.push({ field, points, grantedAtMs });
        }
      }
      return grants;
    });
  }

  /**
   * By partition key, the one partition on which the member stands on the day that holds `atMs`. Ledgers do not know
   * the partition of a grant: a member who stands on several partitions gets none.
   */
  async partsAt(member: string, atMs: number): Promise<Record<string, string>> {
    checkedMember(member);
    const { redis, settings, calendar, inForce } = this.ledger;
    if (settings.partitionKeys.length === 0) return {};
    return inForce.inShards(async () => {
      const shard = this.ledger.shardOf(member);
      const day = calendar.dayOf(atMs);
      const parts = (await this.boards.of(shard)).filter(
        ({ partition, period }) => partition !== null && period.holds(day.startMs),
      );
      const scores = await sendTogether(
        redis,
        parts.flatMap(({ keys: shown, asideKeys }) =>
          [shown, asideKeys].map((ofShards) => ['zscore', ofShards[shard] as string, member] as const),
        ),
      );
      const named = new Map<string, Set<string>>();
      for (const [i, { board, partition }] of parts.entries()) {
        if (scores[2 * i] === null && scores[2 * i + 1] === null) continue;
        const key = board.partition ?? '';
        named.set(key, (named.get(key) ?? new Set<string>()).add(partition ?? ''));
      }
      return Object.fromEntries(
        [...named].flatMap(([key, [only, ...others]]) =>
          only !== undefined && others.length === 0 ? [[key, only] as const] : [],
        ),
      );
    });
  }

  /** Those of which there may be a ledger, old ones among them, which are in Redis now. */
  private async days(tag: string, member: string, first: number, last: number): Promise<number[]> {
    const { redis, settings } = this.ledger;
    const old: number[] = [];
    const isOld = this.cold.isOn && first < this.cold.firstHotDay;
    if (isOld) {
      const [found = []] = await this.cold.daysWith([{ member }]);
      old.push(...found.filter((day) => day >= first && day < this.cold.firstHotDay && day <= last));
      await this.cold.bring(old.map((day) => ({ member, day })));
    }
    const from = isOld ? Math.max(first, this.cold.firstSoughtDay) : first;
    const list = keys.days(settings.prefix, tag, member);
    const listed = settings.indexesDays
      ? (await served(redis, list, () => redis.zrange(list, String(from), String(last), 'BYSCORE'))).map(Number)
      : Array.from({ length: Math.max(0, last - from + 1) }, (_, i) => from + i);
    return [...new Set([...old, ...listed])].sort((a, b) => a - b);
  }
}
