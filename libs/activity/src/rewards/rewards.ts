import type { Period } from '@laurel/leaderboard';
import { chunksOf, shardOf } from '@laurel/leaderboard/internals';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { type ActivityChange, ownerOf } from '../core/activity/activity';
import { checkUserId } from '../core/activity/checks';
import { TimedCache } from '../core/cache/timed-cache';
import { allTimeScores } from '../shared/all-time-score';
import { Extensions } from '../core/extensions/extensions';
import type { PeriodQuery } from '../core/extensions/standings';
import { Ledgers } from '../core/ledgers/ledgers';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../core/options/settings';
import { PeriodicTasks } from '../core/periodic/periodic-tasks';
import { Leaderboards } from '../core/ranks/leaderboards';
import { AppEvents } from '../core/recording/app-events';
import { RedisConnection } from '../core/redis/redis-connection';
import { refusalCode } from '../core/redis/redis-faults';
import { tallyBoard } from '../core/rules/rule-book';
import type { UserRewards, WonBadge, WonTitle } from './rewards.answers';
import { type Goal, REWARD_SETTINGS, type RewardSettings } from './rewards.options';

/**
 * Announced once for each badge that a user wins, by the instance that stored it: if that crashes in between, the user
 * has the badge, and no event follows.
 */
export class BadgeWonEvent {
  static readonly eventName = 'badge.won';

  constructor(
    readonly userId: string,
    readonly badge: WonBadge,
  ) {}
}

/** As {@link BadgeWonEvent}, once for each level: a level that is lost and reached again is not announced again. */
export class LevelReachedEvent {
  static readonly eventName = 'level.reached';

  constructor(
    readonly userId: string,
    readonly level: number,
    /** The user's points when it was judged. */
    readonly points: number,
  ) {}
}

/** The most users that wait to be judged; users beyond are judged when they are read, or do something more. */
const maxWaiting = 10_000;
/** The most users whose latest judgement is remembered, and how long: they may have been erased, and let in again. */
const [maxKnown, knownForMs] = [50_000, 600_000];
const [usersAtOnce, everyMs] = [100, 1_000];
/** Of how many periods of each leaderboard titles are told, the current one included. */
const titledPeriods = 12;
/** Up to how many days a streak is counted, at least. */
const streakDays = 31;
/** Users are spread over so many parts of a Cluster, whatever the number of shards: resharding moves none. */
const parts = 1_024;

/** A number that boards have of a user. */
type Fact = Pick<Goal, 'of' | 'leaderboard'>;

/** A user's numbers, in the order of the facts. */
type Numbers = readonly number[];

/** A user's rewards, by field, and the user's numbers. */
type Judged = readonly [won: Readonly<Record<string, string>>, numbers: Numbers];

const nothing: Judged = [{}, []];
/** A user to be judged, and what the user has won, if that was read. */
type Judging = readonly [userId: string, numbers: Numbers, won?: Judged[0]];

/**
 * Judges what users have won: in the background after an activity of theirs is recorded here, and whenever they are
 * read. A judgement follows from the boards alone, and its result is stored once, so any instance may repeat it: after
 * a crash, the next activity or read does so. Only a streak may end before.
 */
@Injectable()
export class Rewards implements OnModuleInit {
  private readonly waiting = new Set<string>();
  /** By user, the goals that the latest judgement found reached: while they are the same, nothing is won. */
  private readonly known: TimedCache<string>;
  readonly goals: readonly Goal[];
  /** Those of goals come first. */
  private readonly facts: readonly Fact[];

  constructor(
    private readonly ledgers: Ledgers,
    private readonly leaderboards: Leaderboards,
    private readonly connection: RedisConnection,
    private readonly extensions: Extensions,
    private readonly events: AppEvents,
    private readonly tasks: PeriodicTasks,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
    @Inject(REWARD_SETTINGS) private readonly rewards: RewardSettings,
  ) {
    const { levels, badges, streakBoard } = rewards;
    this.known = new TimedCache({ clock: settings.clock, ttlMs: knownForMs, maxWeight: maxKnown });
    // Everybody has a reward that needs nothing, also an id that nobody has: it is not stored.
    this.goals = [...levels, ...badges].filter(({ atLeast }) => atLeast > 0);
    const streak: Fact[] = streakBoard === null ? [] : [{ of: 'streak', leaderboard: streakBoard }];
    const asked = [...this.goals, ...levels, ...streak];
    this.facts = asked.filter((fact, i) => asked.findIndex(isSame(fact)) === i);
  }

  /** Judges users in the background, if anything can be won. */
  onModuleInit(): void {
    if (this.goals.length > 0) this.tasks.task('rewards', () => this.judgeWaiting()).every(everyMs);
  }

  /**
   * A user's level, badges and streak, judged now. One round trip, some three more if something is won; `titles` adds
   * those of the last 12 periods of each leaderboard, with a read of the archive for each. `tellsExcluded`: also for
   * excluded users, whom others do not see. `only`: leaderboards that the answer may name.
   * @throws ActivityError `invalidQuery`, `unavailable`.
   */
  async of(
    userId: string,
    asked: { titles?: boolean; tellsExcluded?: boolean; only?: ReadonlySet<string> } = {},
  ): Promise<UserRewards> {
    const { titles = false, tellsExcluded = false, only } = asked;
    checkUserId(userId);
    const isHidden = !tellsExcluded && (await this.extensions.moderation?.exclusionOf(userId)) != null;
    const reading = async () => (await this.numbersOf([userId], this.facts))[0] ?? [];
    const [[won, numbers], wonTitles] = await Promise.all([
      isHidden ? nothing : this.connection.read(() => this.judge(userId, reading())),
      titles && !isHidden ? this.titlesOf(userId, only) : [],
    ]);
    const { badges: rules, streakBoard } = this.rewards;
    const isTold = ({ leaderboard }: Pick<Fact, 'leaderboard'>) => only?.has(leaderboard) !== false;
    const levels = this.rewards.levels.filter(isTold);
    const { leaderboards } = this.settings;
    // A badge stays when its leaderboard goes: by that of its rule then, and to who has won it.
    const isShown = (badge: WonBadge) => {
      if (leaderboards.some(({ name }) => name === badge.leaderboard)) return isTold(badge);
      return tellsExcluded || isTold(rules.find(({ prize }) => 'id' in prize && prize.id === badge.id) ?? badge);
    };
    const badges = prizesIn(won).filter((prize): prize is WonBadge => 'id' in prize && isShown(prize));
    const points = levels[0] ? this.valueOf(levels[0], numbers) : null;
    const level = points === null ? null : levels.filter(({ atLeast }) => atLeast <= points).length;
    const days = streakBoard !== null && isTold({ leaderboard: streakBoard }) ? streakBoard : null;
    const streak = days === null ? null : this.valueOf({ of: 'streak', leaderboard: days }, numbers);
    const longer = rules.filter(({ of, atLeast }) => of === 'streak' && atLeast > (streak ?? Infinity));
    return {
      ...{ userId, level, points, nextLevel: levels[level ?? 0]?.atLeast ?? null },
      badges: badges.sort((a, b) => (a.wonAt + a.id < b.wonAt + b.id ? -1 : 1)),
      ...{ streak, nextStreak: longer.length > 0 ? Math.min(...longer.map(({ atLeast }) => atLeast)) : null },
      ...(titles && { titles: wonTitles }),
    };
  }

  /** Has the users of an activity judged soon. */
  note(activity: ActivityChange): void {
    if (this.waiting.size >= maxWaiting) return;
    for (const userId of [activity.userId, ownerOf(activity)]) if (userId !== null) this.waiting.add(userId);
  }

  private async judgeWaiting(): Promise<void> {
    const facts = this.facts.filter((fact) => this.goals.some(isSame(fact)));
    for (const some of chunksOf([...this.waiting], usersAtOnce)) {
      for (const userId of some) this.waiting.delete(userId);
      const judging = this.connection.read(async () => {
        const numbers = await this.numbersOf(some, facts);
        const judged = some.map((userId, i): Judging => [userId, numbers[i] ?? []]);
        await this.give(judged.filter(([userId, own]) => this.known.get(userId) !== this.reachedBy(own)));
      });
      await judging.catch((error: unknown) => {
        // Not what Redis says no to: of that one user of many may be the reason.
        if (refusalCode(error) === null) for (const userId of some) this.waiting.add(userId);
        throw error;
      });
    }
  }

  private reachedBy(numbers: Numbers): string {
    return this.goals.map((goal) => Number(this.valueOf(goal, numbers) >= goal.atLeast)).join('');
  }

  private valueOf(fact: Fact, numbers: Numbers): number {
    return numbers[this.facts.findIndex(isSame(fact))] ?? 0;
  }

  /** A user's rewards, those won just now included. */
  private async judge(userId: string, reading: Promise<Numbers>): Promise<Judged> {
    const wonBy = () => this.connection.client.hgetall(keyOf(this.settings.prefix, userId));
    const [won, numbers] = await Promise.all([wonBy(), reading]);
    const winners = await this.give([[userId, numbers, won]]);
    if (winners === null) return [won, numbers];
    return winners.has(userId) ? [await wonBy(), numbers] : nothing;
  }

  /**
   * Gives users what they reach and do not have; returns who may have it, null: nobody reaches anything new. What a
   * user has won is read where no judgement is remembered: else what was reached then is stored.
   */
  private async give(judged: readonly Judging[]): Promise<ReadonlySet<string> | null> {
    const [{ client }, { erasure }] = [this.connection, this.ledgers.main];
    const wonAt = new Date(this.settings.clock.now()).toISOString();
    const found = judged.map(async ([userId, numbers, read]) => {
      const [key, known] = [keyOf(this.settings.prefix, userId), this.known.get(userId)];
      const won = read ?? (known === undefined ? await client.hgetall(key) : null);
      return this.goals.flatMap(({ prize, ...goal }, g) => {
        const field = 'level' in prize ? `level:${prize.level}` : `badge:${prize.id}`;
        const value = this.valueOf(goal, numbers);
        if (value < goal.atLeast || (won ? Object.hasOwn(won, field) : known?.[g] === '1')) return [];
        return [{ userId, key, field, prize: { ...prize, ...goal, value, wonAt } }];
      });
    });
    const reached = (await Promise.all(found)).flat();
    const storing = reached.map(({ key, field, prize }) => client.hsetnx(key, field, JSON.stringify(prize)));
    const stored = await Promise.allSettled(storing);
    const winners = new Set(reached.map(({ userId }) => userId));
    // An erasure that has looked before has refused the user before.
    const [asked] = await Promise.allSettled([winners.size > 0 ? erasure.among([...winners]) : winners]);
    const erased = asked.status === 'fulfilled' ? asked.value : new Set<string>();
    for (const userId of erased) winners.delete(userId);
    // What is stored is told here or never, whatever has failed for others.
    const isNew = stored.map((one) => one.status === 'fulfilled' && one.value === 1);
    for (const { userId, prize } of reached.filter((one, i) => isNew[i] && winners.has(one.userId))) {
      if ('id' in prize) this.events.announce(BadgeWonEvent.eventName, new BadgeWonEvent(userId, prize));
      else this.events.announce(LevelReachedEvent.eventName, new LevelReachedEvent(userId, prize.level, prize.value));
    }
    for (const userId of erased) await this.erase(userId);
    for (const one of [...stored, asked]) if (one.status === 'rejected') throw one.reason;
    for (const [userId, numbers] of judged) if (!erased.has(userId)) this.known.set(userId, this.reachedBy(numbers));
    return reached.length > 0 ? winners : null;
  }

  /** One round trip, with as many calls for many users as for one. */
  private async numbersOf(userIds: readonly string[], facts: readonly Fact[]): Promise<Numbers[]> {
    const read = await Promise.all(facts.map((fact) => this.readFact(userIds, fact)));
    return userIds.map((_, u) => read.map((ofAll) => ofAll[u] ?? 0));
  }

  private async readFact(userIds: readonly string[], { of, leaderboard }: Fact): Promise<number[]> {
    const { rules, clock } = this.settings;
    if (of === 'streak') {
      const longest = Math.max(streakDays, ...this.rewards.badges.map((one) => (one.of === of ? one.atLeast : 0)));
      return this.ledgers.main.streaks.of(leaderboard, userIds, { atMs: clock.now(), longest });
    }
    const boards = this.ledgers.boards(leaderboard);
    if (of === 'points')
      return (await allTimeScores(boards, leaderboard, userIds)).map((score) => boards.pointsOf(score));
    return allTimeScores(boards, tallyBoard(leaderboard, of, rules), userIds);
  }

  private async titlesOf(userId: string, only?: ReadonlySet<string>): Promise<WonTitle[]> {
    const asked: PeriodQuery[] = [];
    for (const leaderboard of this.ledgers.leaderboards()) {
      let period: Period | null = leaderboard.current();
      const { name, partition, rolling } = leaderboard.settings;
      if (partition !== null || rolling || only?.has(name) === false) continue;
      for (let i = 0; period && i < titledPeriods; i += 1) {
        asked.push({ leaderboard, period, ranking: 'ordinal' });
        period = this.leaderboards.before(leaderboard, period);
      }
    }
    const { past } = this.extensions;
    const titles = await Promise.all(asked.map(async (query) => past?.titles(query, [userId])));
    return asked.flatMap(({ leaderboard: { name: leaderboard }, period: { key: period } }, i) => {
      const title = titles[i]?.get(userId);
      return title ? [{ leaderboard, period, title }] : [];
    });
  }

  /** The user's rewards, as `UserRecords` have them. */
  async *told(userId: string): AsyncGenerator<object, void> {
    const won = await this.connection.read((client) => client.hgetall(keyOf(this.settings.prefix, userId)));
    yield* prizesIn(won);
  }

  /** Removes what a user has won; an erasure calls it. Returns 1, or 0 if there was nothing. One round trip. */
  erase(userId: string): Promise<number> {
    this.known.delete(userId);
    return this.connection.read((client) => client.unlink(keyOf(this.settings.prefix, userId)));
  }
}

/**
 * A user's rewards, for good.
 * @redis hash: `badge:` and its id, `level:` and its number -> JSON, with the number that earned it
 * @expires never
 */
function keyOf(prefix: string, userId: string): string {
  return `{${prefix}:${shardOf(userId, parts)}}:rewards:${userId}`;
}

const isSame = (one: Fact) => (other: Fact) => one.of === other.of && one.leaderboard === other.leaderboard;

function prizesIn(won: Readonly<Record<string, string>>) {
  return Object.values(won).map((text) => JSON.parse(text) as WonBadge | { readonly level: number });
}
