import type { Entry, LedgerDay, Period } from '@laurel/leaderboard';
import { Inject, Injectable } from '@nestjs/common';
import { RedisConnection } from '../connection/redis-connection';
import { Ledgers } from '../ledgers/ledgers';
import { actionOfTally, tallyBoard, type Tally } from '../ledgers/tally';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../options/settings';
import type { AskedPeriod } from '../ranks/standings/asked-period';
import { RuleBook } from '../rules/rule-book';
import { countsOf, hoursOf } from './ledger-facts';
import { localHours } from './local-hours';
import { streakBoard } from './streak-board';
import { tallyOfNeed, type KnownFacts, type TitleNeed } from './title-facts';

const dayMs = 86_400_000;

/** The longest streak that is told, and the most days whose ledgers are read. */
const maxDays = 31;

/** Of how many days hours are told. */
const hourDays = 7;

/** What the reads of one page are about. */
interface Asked extends AskedPeriod {
  readonly userIds: readonly string[];
  readonly needs: ReadonlySet<TitleNeed>;
  /** The last moment of the period, or now. */
  readonly lastMs: number;
}

/** Each user's ledgers, in the order of the users, and the first of the days that hours are told of. */
interface ReadLedgers {
  readonly ledgers: readonly (readonly LedgerDay[])[];
  readonly hoursFrom: string;
  readonly hasAll: boolean;
}

/** Reads what title rules are told: for a whole page in one round trip, whatever is needed. */
@Injectable()
export class FactsReader {
  constructor(
    private readonly ledgers: Ledgers,
    private readonly rules: RuleBook,
    private readonly connection: RedisConnection,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
  ) {}

  /**
   * What is known of the users of a page, in the order of its entries.
   * @throws ActivityError `unavailable`
   */
  async read(asked: AskedPeriod, entries: readonly Entry[], needs: ReadonlySet<TitleNeed>): Promise<KnownFacts[]> {
    const { leaderboard, period } = asked;
    const lastMs = Math.min((period.end?.getTime() ?? Infinity) - 1, this.settings.clock.now());
    const all: Asked = { ...asked, userIds: entries.map(({ member }) => member), needs, lastMs };
    const [read, streaks, firstDays, leaders] = await this.connection.read(() =>
      Promise.all([this.readLedgers(all), this.streaks(all), this.firstDays(all), this.leaders(all)]),
    );
    const { name, partition, ledger } = leaderboard;
    const common = { leaderboard: name, partition, period, lastDay: ledger.dayOf(lastMs).key, leaders };
    const actionOf = (field: string) => this.rules.actionOfField(field);
    const hourAt = localHours(leaderboard.settings.timezone);
    return entries.map(({ member, score, rank }, i) => {
      const days = read?.ledgers[i] ?? [];
      const lately = () => days.filter(({ date }) => date >= (read?.hoursFrom ?? ''));
      return {
        ...common,
        userId: member,
        points: score,
        rank,
        counts: read?.hasAll && needs.has('counts') ? countsOf(days, actionOf) : null,
        hours: read && needs.has('hours') ? hoursOf(lately(), hourAt) : null,
        streak: streaks?.[i] ?? null,
        firstDay: firstDays && { date: firstDays[i] ?? null },
      };
    });
  }

  /** The ledgers that counts and hours are made of, as far as all of their days are kept; null: none are. */
  private async readLedgers({ leaderboard, period, userIds, needs, lastMs }: Asked): Promise<ReadLedgers | null> {
    const { ledger } = leaderboard;
    const last = ledger.dayOf(lastMs);
    const first = ledger.dayOf(period.start.getTime());
    // Noon of the first of them: no change of the zone's clocks leads to another day.
    const lately = ledger.dayOf(Math.max(period.start.getTime(), last.start.getTime() - (hourDays - 1.5) * dayMs));
    const hasAll = needs.has('counts') && daysFrom(first, last) <= maxDays && this.isKept(first);
    if (!hasAll && !(needs.has('hours') && this.isKept(lately))) return null;
    const ledgers = await ledger.histories(userIds, hasAll ? first : lately, last);
    return { ledgers, hoursFrom: lately.key, hasAll };
  }

  private isKept(day: Period): boolean {
    const { ledgerRetentionMs, clock } = this.settings;
    return ledgerRetentionMs === null || clock.now() < (day.end?.getTime() ?? Infinity) + ledgerRetentionMs;
  }

  private async streaks({ userIds, needs, lastMs }: Asked): Promise<number[] | null> {
    const board = needs.has('streak') ? streakBoard(this.settings.leaderboards) : undefined;
    if (!board) return null;
    const { main } = this.ledgers;
    const { expireAtMs } = main.boardTimes(board.name, main.dayOf(lastMs));
    if (this.settings.clock.now() >= expireAtMs) return null;
    return main.streaks(board.name, userIds, { atMs: lastMs, longest: maxDays });
  }

  private async firstDays({ userIds, needs }: Asked): Promise<(string | null)[] | null> {
    return needs.has('firstDay') ? this.ledgers.main.firstDays(userIds) : null;
  }

  /** Who is first in each tally of the leaderboard that a rule needs. */
  private async leaders({ leaderboard, period, needs }: Asked): Promise<Map<Tally, string | null>> {
    const { name, ledger, settings } = leaderboard;
    const tallies = [...needs].flatMap((need) => tallyOfNeed(need) ?? []).filter((t) => settings.tallies.includes(t));
    const found = await Promise.all(
      tallies.map(async (tally) => {
        const rule = this.settings.rules.find(({ action }) => action === actionOfTally(tally));
        const first = await ledger.board(tallyBoard(name, tally, rule?.code ?? ''), period).at(1);
        return [tally, first?.member ?? null] as const;
      }),
    );
    return new Map(found);
  }
}

function daysFrom(first: Period, last: Period): number {
  return (Date.parse(last.key) - Date.parse(first.key)) / dayMs + 1;
}
