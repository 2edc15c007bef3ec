import type { Entry } from '@laurel/leaderboard';
import { cached } from '@laurel/leaderboard/internals';
import { Inject, Injectable } from '@nestjs/common';
import { TimedCache } from '../core/cache/timed-cache';
import type { PeriodQuery, TitledPage } from '../core/extensions/standings';
import { Ledgers } from '../core/ledgers/ledgers';
import { ACTIVITY_SETTINGS, type ActivitySettings, type LeaderboardSettings } from '../core/options/settings';
import { RedisConnection } from '../core/redis/redis-connection';
import { type Tally, tallyBoard } from '../core/rules/rule-book';
import { RulesInForce } from '../core/rules/rules-in-force';
import { ledgerFacts } from './ledger-facts';
import { type FactsQuery, type KnownFacts, tallyOfNeed, type TitleNeed } from './title-facts';

/** The leaderboard whose boards of days tell on which days somebody had points: every action counts on it. */
export function streakBoard(leaderboards: readonly LeaderboardSettings[]): LeaderboardSettings | undefined {
  return leaderboards.find(
    ({ hasOwnLedger, fedSpec, actions, partition, where }) =>
      !hasOwnLedger && fedSpec === 'day' && actions === undefined && partition === null && where.length === 0,
  );
}

/** The longest streak that is read. */
const longestStreak = 31;

/**
 * After how long a change is seen that moves no entry of this board, such as a cancelled activity of an earlier day.
 */
const maxAgeMs = 60_000;

type UserFacts = Pick<KnownFacts, 'counts' | 'hours' | 'streak' | 'firstDay'>;

/** Facts of one user, valid for the entry that they were read for. */
interface CachedFacts {
  readonly score: number;
  readonly reachedAtMs: number;
  readonly facts: UserFacts;
}

/**
 * Reads the facts that title rules need: of a page, in one round trip a shard. Facts of a user whose entry is unchanged
 * are cached.
 */
@Injectable()
export class FactsReader {
  private readonly known: TimedCache<CachedFacts>;
  /** The reads of leaders that are under way. */
  private readonly leading = new Map<string, Promise<string | null>>();

  constructor(
    private readonly ledgers: Ledgers,
    private readonly rules: RulesInForce,
    private readonly connection: RedisConnection,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
  ) {
    this.known = new TimedCache({ clock: settings.clock, ttlMs: maxAgeMs, maxWeight: 10_000 });
  }

  /** A reader that has cached nothing. */
  anew(): FactsReader {
    return new FactsReader(this.ledgers, this.rules, this.connection, this.settings);
  }

  /**
   * The first user of any tally that a rule needs, and the users who are excluded. One round trip.
   * @throws ActivityError `unavailable`
   */
  async firsts(query: PeriodQuery, needs: ReadonlySet<TitleNeed>) {
    const excluded = () => query.leaderboard.aside(query.period).between(-Infinity, Infinity);
    const read = () => Promise.all([this.leaders({ query, needs, lastMs: 0 }), excluded()]);
    const [leaders, aside] = await this.connection.read(read);
    return { leaders: new Set(leaders.values()), excluded: new Set(aside.map(({ member }) => member)) };
  }

  /**
   * The facts of a page's users, in the order of its entries. Users of whom nothing is cached are read while their
   * entries are.
   * @throws ActivityError `unavailable`
   */
  async read(query: PeriodQuery, page: TitledPage, needs: ReadonlySet<TitleNeed>): Promise<KnownFacts[]> {
    const { leaderboard, period } = query;
    const { name, label, partition, ledger } = leaderboard;
    const nowMs = this.settings.clock.now();
    const lastMs = Math.min((period.end?.getTime() ?? Infinity) - 1, nowMs);
    const lastDay = ledger.periods.dayOf(lastMs).key;
    const of = JSON.stringify([label, period.key, lastDay, lastMs < nowMs]);
    const about = { query, needs, lastMs };
    const newIds = page.userIds.filter((userId) => !this.known.get(of + userId));
    const [leaders, early, entries] = await Promise.all([
      this.connection.read(() => this.leaders(about)),
      this.usersNamed(about, newIds),
      page.entries,
    ]);
    const facts = new Map(entries.map((entry) => [entry.member, this.cached(of, entry)]));
    for (const entry of entries) {
      const read = early.get(entry.member);
      if (!read) continue;
      facts.set(entry.member, read);
      // An entry that has just changed may be younger than what was read beside it.
      const isOlder = reachedAtMs(entry) < nowMs - this.settings.recordTimeoutMs;
      if (isOlder) this.cache(of, entry, read);
    }
    const changed = entries.filter(({ member }) => !facts.get(member));
    const changedIds = changed.map(({ member }) => member);
    const late = await this.usersNamed(about, changedIds);
    for (const entry of changed) {
      const read = late.get(entry.member) as UserFacts;
      facts.set(entry.member, read);
      this.cache(of, entry, read);
    }
    return entries.map(({ member: userId, score, rank }) => {
      const points = leaderboard.pointsOf(score);
      const own = facts.get(userId) as UserFacts;
      return { leaderboard: name, partition, period, lastDay, leaders, userId, points, rank, ...own };
    });
  }

  private cache(of: string, entry: Entry, facts: UserFacts): void {
    this.known.set(of + entry.member, { score: entry.score, reachedAtMs: reachedAtMs(entry), facts });
  }

  private cached(of: string, entry: Entry): UserFacts | undefined {
    const known = this.known.get(of + entry.member);
    const isSame = known?.score === entry.score && known.reachedAtMs === reachedAtMs(entry);
    return isSame ? known.facts : undefined;
  }

  private async usersNamed(about: FactsQuery, userIds: readonly string[]): Promise<ReadonlyMap<string, UserFacts>> {
    if (userIds.length === 0) return new Map();
    const [ledgers, streaks, firstDays] = await this.connection.read(() =>
      Promise.all([
        ledgerFacts(this.ledgers, this.rules.book, about, userIds),
        this.streaks(about, userIds),
        about.needs.has('firstDay') ? this.ledgers.main.firstDays.of(userIds) : null,
      ]),
    );
    return new Map(
      ledgers.map((facts, i) => {
        const firstDay = firstDays && { date: firstDays[i] ?? null };
        return [userIds[i] as string, { ...facts, streak: streaks?.[i] ?? null, firstDay }];
      }),
    );
  }

  private async streaks({ needs, lastMs }: FactsQuery, userIds: readonly string[]): Promise<number[] | null> {
    const board = needs.has('streak') ? streakBoard(this.settings.leaderboards) : undefined;
    if (!board) return null;
    const { main } = this.ledgers;
    const { expireAtMs } = main.periods.timesOf(board.name, main.periods.dayOf(lastMs));
    if (this.settings.clock.now() >= expireAtMs) return null;
    return main.streaks.of(board.name, userIds, { atMs: lastMs, longest: longestStreak });
  }

  /** The first user of each tally of the leaderboard that a rule needs. */
  private async leaders({ query, needs }: FactsQuery): Promise<Map<Tally, string | null>> {
    const { settings } = query.leaderboard;
    const tallies = [...needs].flatMap((need) => tallyOfNeed(need) ?? []).filter((t) => settings.tallies.includes(t));
    return new Map(await Promise.all(tallies.map(async (tally) => [tally, await this.leader(query, tally)] as const)));
  }

  /** The first user of a tally: calls during a read share it. */
  private leader(query: PeriodQuery, tally: Tally): Promise<string | null> {
    const id = JSON.stringify([query.leaderboard.label, query.period.key, tally]);
    const { name, ledger, partition } = query.leaderboard;
    return cached(this.leading, id, () => {
      const board = ledger.board(tallyBoard(name, tally, this.settings.rules), query.period, partition);
      const leader = board.at(1).then((first) => first?.member ?? null);
      return leader.finally(() => this.leading.delete(id));
    });
  }
}

function reachedAtMs({ reachedAt }: Entry): number {
  return reachedAt?.getTime() ?? 0;
}
