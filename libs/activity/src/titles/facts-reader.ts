import type { Entry } from '@laurel/leaderboard';
import { Inject, Injectable } from '@nestjs/common';
import { RedisConnection } from '../redis/redis-connection';
import { Ledgers } from '../ledgers/ledgers';
import { actionOfTally, tallyBoard, type Tally } from '../rules/tally';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../options/settings';
import type { AskedPeriod } from '../extensions/asked-period';
import { KeptFacts } from './kept-facts';
import { LedgerReader } from './ledger-reader';
import { streakBoard } from './streak-board';
import { tallyOfNeed, type KnownFacts, type TitleNeed } from './title-facts';

/** The longest streak that is told. */
const longestStreak = 31;

/** What is kept of one user, as long as his entry stays as it is. */
type UserFacts = Pick<KnownFacts, 'counts' | 'hours' | 'streak' | 'firstDay'>;

/** What the reads of one page are about. */
interface Asked {
  readonly asked: AskedPeriod;
  readonly needs: ReadonlySet<TitleNeed>;
  /** The last moment of the period, or now. */
  readonly lastMs: number;
}

/**
 * Reads what title rules are told: for a whole page in one round trip a shard, whatever is needed. What tells of one user
 * alone is read again when his entry has moved.
 */
@Injectable()
export class FactsReader {
  private readonly kept = new KeptFacts<UserFacts>();

  constructor(
    private readonly ledgers: Ledgers,
    private readonly ledgerReader: LedgerReader,
    private readonly connection: RedisConnection,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
  ) {}

  /**
   * What is known of the users of a page, in the order of its entries.
   * @throws ActivityError `unavailable`
   */
  async read(asked: AskedPeriod, entries: readonly Entry[], needs: ReadonlySet<TitleNeed>): Promise<KnownFacts[]> {
    const { leaderboard, period } = asked;
    const { name, label, partition, ledger } = leaderboard;
    const nowMs = this.settings.clock.now();
    const lastMs = Math.min((period.end?.getTime() ?? Infinity) - 1, nowMs);
    const lastDay = ledger.dayOf(lastMs).key;
    const of = JSON.stringify([label, period.key, lastDay, lastMs < nowMs]);
    const found = entries.map((entry) => this.kept.find(of, entry, nowMs));
    const unknown = entries.filter((_, i) => !found[i]);
    const about = { asked, needs, lastMs };
    const [leaders, users] = await this.connection.read(() =>
      Promise.all([this.leaders(about), unknown.length > 0 ? this.users(about, unknown) : []]),
    );
    unknown.forEach((entry, i) => this.kept.keep(of, entry, nowMs, users[i] as UserFacts));
    let taken = 0;
    return entries.map(({ member: userId, score: points, rank }, i) => {
      const facts: UserFacts = found[i] ?? (users[taken++] as UserFacts);
      return { leaderboard: name, partition, period, lastDay, leaders, userId, points, rank, ...facts };
    });
  }

  private async users(about: Asked, entries: readonly Entry[]): Promise<UserFacts[]> {
    const userIds = entries.map(({ member }) => member);
    const [ledgers, streaks, firstDays] = await Promise.all([
      this.ledgerReader.read(about.asked, entries, about),
      this.streaks(about, userIds),
      about.needs.has('firstDay') ? this.ledgers.main.firstDays(userIds) : null,
    ]);
    return ledgers.map(({ counts, hours }, i) => ({
      counts,
      hours,
      streak: streaks?.[i] ?? null,
      firstDay: firstDays && { date: firstDays[i] ?? null },
    }));
  }

  private async streaks({ needs, lastMs }: Asked, userIds: readonly string[]): Promise<number[] | null> {
    const board = needs.has('streak') ? streakBoard(this.settings.leaderboards) : undefined;
    if (!board) return null;
    const { main } = this.ledgers;
    const { expireAtMs } = main.boardTimes(board.name, main.dayOf(lastMs));
    if (this.settings.clock.now() >= expireAtMs) return null;
    return main.streaks(board.name, userIds, { atMs: lastMs, longest: longestStreak });
  }

  /** Who is first in each tally of the leaderboard that a rule needs. */
  private async leaders({ asked: { leaderboard, period }, needs }: Asked): Promise<Map<Tally, string | null>> {
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
