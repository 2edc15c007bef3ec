import { Period, type PeriodKind } from '@laurel/leaderboard';
import { Inject, Injectable } from '@nestjs/common';
import { ActivityError } from '@laurel/activity';
import {
  ACTIVITY_SETTINGS,
  type ActivitySettings,
  type LeaderboardBoards,
  Leaderboards,
  Ledgers,
  Recorder,
  RedisConnection,
  RulesInForce,
  faultsError,
} from '@laurel/activity/internals';
import { DayTakeover, type DayTakeoverOptions } from './day-takeover';
import { membersOf } from './members-of';
import { ScoreTakeover, type TakeoverParts } from './score-takeover';
import { firstTakenDay } from './taken-days';

/** Where scores go. */
export interface TakeoverOptions {
  readonly leaderboard: string;
  /** As in `GET /ranks/:leaderboard?period=`. */
  readonly period: string;
  /** Names the source: what was taken over is known by it. */
  readonly source: readonly string[];
  /** Why, as the users' histories show it. */
  readonly reason: string;
}

/** Takes over what another system counted. */
@Injectable()
export class Takeovers {
  private readonly parts: TakeoverParts;

  constructor(
    ledgers: Ledgers,
    recorder: Recorder,
    connection: RedisConnection,
    rules: RulesInForce,
    private readonly leaderboards: Leaderboards,
    @Inject(ACTIVITY_SETTINGS) settings: ActivitySettings,
  ) {
    this.parts = { ledgers, recorder, connection, rules, settings };
  }

  /**
   * Of scores, onto one leaderboard.
   * @throws ActivityError `unknownLeaderboard`, `unknownPeriod`; `invalidQuery` where the leaderboard has partitions,
   * is a rolling window, or the period is still to come.
   */
  ofScores({ source, reason, ...where }: TakeoverOptions): ScoreTakeover {
    const boards = this.leaderboards.find(where.leaderboard);
    assertTakesScores(boards);
    const period = this.periodOf(where);
    if (period.start.getTime() > this.parts.settings.clock.now()) {
      throw new ActivityError('invalidQuery', `The period ${period.key} of "${boards.name}" is still to come.`);
    }
    return new ScoreTakeover(this.parts, { boards, period, source, reason });
  }

  /** Of one day's actions, in the module's own ledger and those beside it. */
  ofDay(options: DayTakeoverOptions): DayTakeover {
    const { ledgers, rules, connection } = this.parts;
    return new DayTakeover(ledgers.main, rules.book, connection, options);
  }

  /**
   * The first leaderboard of such periods that shows what the module's own ledger counts, all of it; null: there is
   * none.
   */
  leaderboardOf(kind: PeriodKind): string | null {
    const { ledgers } = this.parts;
    const found = ledgers.leaderboards().find(({ ledger, settings }) => {
      const isAll = settings.partition === null && !settings.actions && settings.where.length === 0;
      return ledger === ledgers.main && settings.period === kind && settings.rolling === null && isAll;
    });
    return found?.name ?? null;
  }

  /**
   * Everybody who may have something in the ledger of a day: who is on the shortest leaderboard of all actions. In
   * pages, a round trip for each 500.
   */
  async *membersOf(day: Period): AsyncGenerator<string[]> {
    for (const kind of ['day', 'week', 'month', 'quarter', 'year', 'all'] as const) {
      const name = this.leaderboardOf(kind);
      if (name === null) continue;
      const boards = this.leaderboards.find(name);
      const period = Period.find(boards.settings.spec, day.start, day.timezone);
      if (!(period instanceof Period)) continue;
      yield* membersOf(this.parts.connection, boards, period);
      return;
    }
  }

  /**
   * The day from which on a source's days are taken over by their actions: the first one that was ever given. Two round
   * trips, one where it is not to be remembered. @throws ActivityError `unavailable`
   */
  firstDay(choice: { readonly source: string; readonly firstDay: string; readonly stores: boolean }): Promise<string> {
    const { connection, settings } = this.parts;
    return connection.read(() => firstTakenDay(connection.client, settings.prefix, choice));
  }

  /** A period of the module's own time zone. */
  period(kind: 'day' | 'month', key: string): Period {
    return Period.parse(kind, key, this.parts.settings.timezone);
  }

  /** The present moment, by the module's clock. */
  get nowMs(): number {
    return this.parts.settings.clock.now();
  }

  /** The period that is meant. @throws ActivityError `unknownLeaderboard`, `unknownPeriod`, `invalidQuery`. */
  periodOf({ leaderboard, period }: Pick<TakeoverOptions, 'leaderboard' | 'period'>): Period {
    return this.leaderboards.period(this.leaderboards.find(leaderboard), period);
  }
}

function assertTakesScores({ name, settings }: LeaderboardBoards): void {
  if (!settings.rolling) return;
  const message = `must not be a rolling window: nothing says on which of its days "${name}" got them`;
  throw faultsError('invalidQuery', [{ path: 'leaderboard', message }]);
}
