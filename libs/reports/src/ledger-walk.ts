import { Period, type LedgerDay } from '@laurel/leaderboard';
import { chunksOf } from '@laurel/leaderboard/internals';
import { Inject, Injectable } from '@nestjs/common';
import { ActivityError } from '@laurel/activity';
import {
  ACTIVITY_SETTINGS,
  type ActivitySettings,
  type LeaderboardBoards,
  Leaderboards,
  Ledgers,
  RedisConnection,
} from '@laurel/activity/internals';
import { StandingsWalk, type StandingsWalkPage } from './standings-walk';

/** The days of a period that have, or may get, ledgers. */
export interface LedgerDays {
  /** After `to` where the ledgers of all of them are gone. */
  readonly from: Period;
  readonly to: Period;
  /** Whether the ledgers of the period's first days are gone already. */
  readonly isCut: boolean;
}

/** A page of a period's standings with the ledgers of its users. */
export interface WalkedPage extends StandingsWalkPage {
  readonly ledgers: readonly (readonly LedgerDay[])[];
  /** Whether they are kept off the standings. */
  readonly areExcluded: boolean;
}

/** The users whose ledgers to walk. */
export interface LedgerWalkOptions extends LedgerDays {
  /** Whether the users who are kept off the standings follow, as long as the board lives in Redis. Default: no. */
  readonly withExcluded?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Users whose ledgers are read at once. */
const pageSize = 50;

/** Walks the users of a period's standings with their ledgers: each user once, in the memory of a page. */
@Injectable()
export class LedgerWalk {
  constructor(
    private readonly leaderboards: Leaderboards,
    private readonly ledgers: Ledgers,
    private readonly standings: StandingsWalk,
    private readonly connection: RedisConnection,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
  ) {}

  /**
   * The first leaderboard that has a period of this key, and that `suits` accepts.
   * @throws ActivityError `unknownPeriod`
   */
  leaderboardWith(key: string, suits: (leaderboard: LeaderboardBoards) => boolean = () => true): LeaderboardBoards {
    const all = this.ledgers.leaderboards().filter((one) => one.settings.partition === null && suits(one));
    const found = all.find((leaderboard) => this.hasPeriod(leaderboard, key));
    if (found) return found;
    const kinds = all.map(({ name, settings }) => `${name} (${settings.period})`).join(', ');
    throw new ActivityError('unknownPeriod', `No leaderboard has a period "${key.slice(0, 40)}": there are ${kinds}.`);
  }

  /** @throws ActivityError `ledgersGone` where the period has not begun. */
  daysOf(period: Period): LedgerDays {
    const { clock, clockSkewMs, ledgerRetentionMs } = this.settings;
    const { timezone } = period;
    const day = (atMs: number) => Period.of('day', new Date(atMs), timezone);
    const nowMs = clock.now();
    const lastMs = Math.min((period.end?.getTime() ?? Infinity) - 1, nowMs + clockSkewMs);
    if (lastMs < period.start.getTime()) throw noLedgers(period.key, 'it has not begun');
    const [first, last] = [day(period.start.getTime()), day(lastMs)];
    const kept = ledgerRetentionMs === null ? first : firstKept(day(nowMs), nowMs - ledgerRetentionMs);
    return kept.start > first.start ? { from: kept, to: last, isCut: true } : { from: first, to: last, isCut: false };
  }

  /**
   * A round trip for each 50 users, and one more for their ledgers.
   * @throws ActivityError `unavailable`
   */
  async *pages(
    leaderboard: LeaderboardBoards,
    period: Period,
    { from, to, withExcluded = false, signal }: LedgerWalkOptions,
  ): AsyncGenerator<WalkedPage> {
    const { connection } = this;
    let before = 0;
    for (const areExcluded of withExcluded ? [false, true] : [false]) {
      const pages = areExcluded
        ? this.standings.excludedPagesOf(leaderboard, period, pageSize)
        : this.standings.pagesOf(leaderboard, period, pageSize);
      let here = 0;
      for await (const { entries, done, total } of pages) {
        signal?.throwIfAborted();
        const members = entries.map(({ member }) => member);
        const ledgers = await connection.read(() => leaderboard.ledger.history.ofMembers(members, from, to));
        here = done;
        yield { entries, ledgers, done: before + done, total: before + total, areExcluded };
      }
      before += here;
    }
  }

  /**
   * The users with ledgers of the period who are not among its standings, nor kept off them, each once, with these
   * ledgers. Looks at every key of Redis; takes the memory of the ids.
   * @throws ActivityError `unavailable`
   */
  async *others(
    leaderboard: LeaderboardBoards,
    period: Period,
    { from, to, signal }: LedgerWalkOptions,
  ): AsyncGenerator<Pick<WalkedPage, 'ledgers'> & { readonly userIds: readonly string[] }> {
    const { connection } = this;
    const { history, excluded } = leaderboard.ledger;
    const seen = new Set<string>();
    const pages = history.members(from, to);
    for (let page = await connection.read(() => pages.next()); !page.done;) {
      for (const some of chunksOf([...new Set(page.value)], pageSize)) {
        signal?.throwIfAborted();
        const unseen = some.filter((userId) => !seen.has(userId));
        const scores = await this.standings.scores(leaderboard, period, unseen);
        const off = unseen.filter((_, i) => scores[i] === null);
        const areOff = await connection.read(() => Promise.all(off.map((userId) => excluded.has(userId))));
        const userIds = off.filter((userId, i) => areOff[i] === false && seen.add(userId));
        yield { userIds, ledgers: await connection.read(() => history.ofMembers(userIds, from, to)) };
      }
      page = await connection.read(() => pages.next());
    }
  }

  private hasPeriod(leaderboard: LeaderboardBoards, key: string): boolean {
    try {
      this.leaderboards.period(leaderboard, key);
      return true;
    } catch (error) {
      if (error instanceof ActivityError && error.code === 'unknownPeriod') return false;
      throw error;
    }
  }
}

/** The first day whose ledger is there: it ended after `sinceMs`. */
function firstKept(today: Period, sinceMs: number): Period {
  return Period.of('day', new Date(Math.max(sinceMs, 0)), today.timezone);
}

/** An {@link ActivityError} `ledgersGone`. */
export function noLedgers(period: string, why: string): ActivityError {
  return new ActivityError('ledgersGone', `There are no ledgers of ${period}: ${why}.`);
}
