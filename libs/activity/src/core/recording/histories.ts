import { Period, type LedgerDay } from '@laurel/leaderboard';
import { adjustmentId } from '@laurel/leaderboard/internals';
import { Inject, Injectable } from '@nestjs/common';
import type { HistoryRange } from '../activity/activity';
import { checkUserId, dayIn } from '../activity/checks';
import type { ActivityHistory, HistoryAdjustment, HistoryDay } from '../activity/history';
import { invalidQuery } from '../errors/errors';
import { Ledgers } from '../ledgers/ledgers';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../options/settings';
import { RedisConnection } from '../redis/redis-connection';
import { readOwnerField, type ReceivedCounts, receivedIn } from '../rules/ledger-field';
import { pointsIn, pointsOf } from '../points/decimals';
import { RulesInForce } from '../rules/rules-in-force';

/** The longest history one call gives, in days. */
export const maxHistoryDays = 31;

/** Reads what the module's own ledger has of users. */
@Injectable()
export class Histories {
  constructor(
    private readonly ledgers: Ledgers,
    private readonly connection: RedisConnection,
    private readonly rules: RulesInForce,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
  ) {}

  /** As `ActivityService.history`. */
  async history(userId: string, range: HistoryRange): Promise<ActivityHistory> {
    const { versions = false } = range;
    return { userId, days: (await this.daysOf(userId, range)).flatMap((day) => this.summaryOf(day, versions) ?? []) };
  }

  /** As `ActivityService.receivedCounts`. */
  async receivedCounts(userId: string, range: HistoryRange): Promise<ReceivedCounts> {
    return receivedIn(await this.daysOf(userId, range), this.rules.book);
  }

  private async daysOf(userId: string, range: HistoryRange): Promise<LedgerDay[]> {
    checkUserId(userId);
    const [from, to] = this.periodsOf(range);
    return this.connection.read(() => this.ledgers.main.history.days(userId, from, to));
  }

  /** Null: nothing stands of the day. */
  private summaryOf(day: LedgerDay, withVersions: boolean): HistoryDay | null {
    const { book } = this.rules;
    const { decimals } = this.settings;
    const actions: Record<string, number> = {};
    const versions: Record<number, number> = {};
    const adjustments: HistoryAdjustment[] = [];
    let total = 0;
    for (const { field, points, version, adjustment } of day.fields) {
      if (adjustment) {
        const { note: reason, atMs } = adjustment;
        adjustments.push({ id: adjustmentId(field), points: pointsOf(points, decimals), reason, at: new Date(atMs) });
        total += points;
        continue;
      }
      if (version === null) continue;
      versions[version] = (versions[version] ?? 0) + points;
      total += points;
      if (readOwnerField(field)) continue;
      const action = book.actionOfField(field);
      actions[action] = (actions[action] ?? 0) + 1;
    }
    for (const { version, points } of day.totals ?? []) {
      versions[version] = (versions[version] ?? 0) + points;
      total += points;
    }
    const received = receivedIn([day], book);
    const isReceived = Object.keys(received).length > 0;
    if (Object.keys(actions).length === 0 && !isReceived && adjustments.length === 0) return null;
    adjustments.sort((a, b) => a.at.getTime() - b.at.getTime());
    return {
      date: day.date,
      points: pointsOf(total, decimals),
      actions,
      ...(withVersions && { versions: pointsIn(versions, decimals) }),
      ...(isReceived && { received }),
      ...(adjustments.length > 0 && { adjustments }),
    };
  }

  private periodsOf(range: HistoryRange): readonly [Period, Period] {
    const { timezone, clock } = this.settings;
    const to =
      range.to === undefined ? Period.of('day', new Date(clock.now()), timezone) : dayIn('to', range.to, timezone);
    const first = range.from === undefined ? undefined : dayIn('from', range.from, timezone);
    let from = to;
    for (let days = 1; days < maxHistoryDays && from.key !== first?.key; days += 1) from = from.previous() ?? from;
    if (first && from.key !== first.key) {
      throw invalidQuery('from', `must be one of the ${maxHistoryDays} days up to ${to.key}`);
    }
    return [from, to];
  }
}
