import type { Period } from '@laurel/leaderboard';
import { Inject, Injectable } from '@nestjs/common';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../core/options/settings';
import type { PeriodQuery } from '../core/extensions/period-query';
import { RulesInForce } from '../core/rules/rules-in-force';
import { countsOf, hoursOf } from './ledger-facts';
import { localHours } from './local-hours';
import type { KnownFacts, TitleNeed } from './title-facts';

/** What ledgers say of one user. */
export type LedgerFacts = Pick<KnownFacts, 'counts' | 'hours'>;

const dayMs = 86_400_000;

/** The most days whose ledgers are read. */
const maxDays = 31;

/** Of how many days hours are told. */
const hourDays = 7;

const nothing: LedgerFacts = { counts: null, hours: null };

/** Of which days what is told. */
interface Days {
  readonly from: Period;
  readonly last: Period;
  readonly withCounts: boolean;
  /** The first day that hours are told of; null: they are not. */
  readonly hoursFrom: string | null;
}

/** Reads counts and hours from ledgers. */
@Injectable()
export class LedgerReader {
  constructor(
    private readonly rules: RulesInForce,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
  ) {}

  /**
   * What the ledgers of the period's days up to `lastMs` say of each user, as far as it is needed and all of
   * those days are kept. One round trip a shard.
   */
  async read(
    asked: PeriodQuery,
    userIds: readonly string[],
    { needs, lastMs }: { readonly needs: ReadonlySet<TitleNeed>; readonly lastMs: number },
  ): Promise<LedgerFacts[]> {
    const days = this.daysOf(asked, needs, lastMs);
    if (!days || userIds.length === 0) return userIds.map(() => nothing);
    return this.readLedgers(asked, userIds, days);
  }

  private daysOf({ leaderboard, period }: PeriodQuery, needs: ReadonlySet<TitleNeed>, lastMs: number): Days | null {
    const { ledger } = leaderboard;
    const last = ledger.periods.dayOf(lastMs);
    const first = ledger.periods.dayOf(period.start.getTime());
    // Noon of the first of them: no change of the zone's clocks leads to another day.
    const lately = ledger.periods.dayOf(
      Math.max(period.start.getTime(), last.start.getTime() - (hourDays - 1.5) * dayMs),
    );
    const length = (Date.parse(last.key) - Date.parse(first.key)) / dayMs + 1;
    const withCounts = needs.has('counts') && length <= maxDays && this.isKept(first);
    const hoursFrom = needs.has('hours') && this.isKept(lately) ? lately.key : null;
    if (!withCounts && hoursFrom === null) return null;
    return { from: withCounts ? first : lately, last, withCounts, hoursFrom };
  }

  private async readLedgers(
    { leaderboard: { ledger, settings } }: PeriodQuery,
    userIds: readonly string[],
    { from, last, withCounts, hoursFrom }: Days,
  ): Promise<LedgerFacts[]> {
    const hourAt = localHours(settings.timezone);
    const ledgers = await ledger.history.ofMembers(userIds, from, last);
    return ledgers.map((days) => ({
      counts: withCounts ? countsOf(days, this.rules.book) : null,
      hours:
        hoursFrom === null
          ? null
          : hoursOf(
              days.filter(({ date }) => date >= hoursFrom),
              hourAt,
            ),
    }));
  }

  private isKept(day: Period): boolean {
    const { ledgerRetentionMs, clock } = this.settings;
    return ledgerRetentionMs === null || clock.now() < (day.end?.getTime() ?? Infinity) + ledgerRetentionMs;
  }
}
