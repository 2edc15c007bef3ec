import type { LedgerDay } from '@laurel/leaderboard';
import { adjustmentId, type LedgerAdjustment } from '@laurel/leaderboard/internals';
import { Inject, Injectable } from '@nestjs/common';
import type { ActivityDay, AdjustmentLine } from '../activity/activity';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../options/settings';
import { readOwnerField } from '../rules/owner-field';
import { receivedIn } from './received-counts';
import { RulesInForce } from '../rules/rules-in-force';

/** Says what a day of a user's ledger comes to. */
@Injectable()
export class DaySummaries {
  /** The leaderboard whose score of a day is what that day came to; undefined where none is of days and of all actions. */
  private readonly dayBoard: string | undefined;

  constructor(
    private readonly rules: RulesInForce,
    @Inject(ACTIVITY_SETTINGS) { leaderboards }: ActivitySettings,
  ) {
    const isWhole = ({ actions, partition, rolling, hasOwnLedger }: (typeof leaderboards)[number]) =>
      actions === undefined && partition === null && rolling === null && !hasOwnLedger;
    this.dayBoard = leaderboards.find((leaderboard) => leaderboard.period === 'day' && isWhole(leaderboard))?.name;
  }

  /** Null: nothing stands of the day. */
  of(day: LedgerDay, withVersions: boolean): ActivityDay | null {
    const { book } = this.rules;
    const actions: Record<string, number> = {};
    const versions: Record<number, number> = {};
    const adjustments: AdjustmentLine[] = [];
    let total = 0;
    for (const { field, points, version, adjustment } of day.fields) {
      if (adjustment) {
        adjustments.push(lineOf(field, adjustment));
        total += this.changeOf(adjustment);
        continue;
      }
      if (version === null) continue;
      versions[version] = (versions[version] ?? 0) + points;
      total += points;
      if (readOwnerField(field)) continue;
      const action = book.actionOfField(field);
      actions[action] = (actions[action] ?? 0) + 1;
    }
    const received = receivedIn([day], book);
    const isReceived = Object.keys(received).length > 0;
    if (Object.keys(actions).length === 0 && !isReceived && adjustments.length === 0) return null;
    adjustments.sort((a, b) => a.at.getTime() - b.at.getTime());
    return {
      date: day.date,
      points: Math.max(total, 0),
      actions,
      ...(withVersions && { versions }),
      ...(isReceived && { received }),
      ...(adjustments.length > 0 && { adjustments }),
    };
  }

  /** By how much an adjustment changed what the day came to: as on the leaderboard of days, or else the most anywhere. */
  changeOf({ changes }: LedgerAdjustment): number {
    if (this.dayBoard !== undefined) return changes[this.dayBoard] ?? 0;
    return Object.values(changes).reduce((most, change) => (Math.abs(change) > Math.abs(most) ? change : most), 0);
  }
}

function lineOf(field: string, { asked, changes, atMs, note }: LedgerAdjustment): AdjustmentLine {
  const id = adjustmentId(field);
  return { id: id === '' ? null : id, points: asked, changes, reason: note, at: new Date(atMs) };
}
