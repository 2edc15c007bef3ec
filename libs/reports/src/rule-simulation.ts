import { Period, type Entry, type LedgerDay } from '@laurel/leaderboard';
import { isCounted } from '@laurel/leaderboard/internals';
import { Inject, Injectable } from '@nestjs/common';
import { ActivityError } from '@laurel/activity';
import {
  ACTIVITY_SETTINGS,
  type ActivitySettings,
  type LeaderboardBoards,
  Leaderboards,
  Ledgers,
  RedisConnection,
  type ResolvedRule,
  type RuleGrant,
  RulesInForce,
  byMoment,
  codeOfField,
  readOwnerField,
  unitsOf,
} from '@laurel/activity/internals';
import { LedgerWalk, noLedgers, type LedgerDays } from './ledger-walk';
import { StandingsWalk } from './standings-walk';
import { everyRule } from './every-rule';
import { Leaders } from './leaders';
import type { Simulation } from './simulation';

/** The rules and limits to simulate. */
export interface SimulationOptions {
  /** Default: the first leaderboard that has the period. */
  readonly leaderboard?: string;
  /** As in `GET /ranks/:leaderboard?period=`. */
  readonly period: string;
  readonly rules: readonly ResolvedRule[];
  /** How many users to return, from 1 to 1,000. */
  readonly top: number;
  /** Called with how many users of how many are done. */
  readonly onProgress?: (done: number, total: number) => void;
  /** Stops it, without a result. */
  readonly signal?: AbortSignal;
}

/** By actions, what their rules give owners. */
type GrantsOf = ReadonlyMap<string, RuleGrant | undefined>;

/** Computes from the ledgers how a period would have stood if its actions had been worth other points. */
@Injectable()
export class RuleSimulation {
  constructor(
    private readonly leaderboards: Leaderboards,
    private readonly walk: LedgerWalk,
    private readonly standings: StandingsWalk,
    private readonly ledgers: Ledgers,
    private readonly connection: RedisConnection,
    private readonly rules: RulesInForce,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
  ) {}

  /**
   * Reads the users of the real standings, then the others with ledgers of the period, page by page, and adds up the
   * points in their ledgers. Changes nothing. Needs the memory of one page, of `top` and of the others' ids; a round
   * trip for each 50 users, and one more for their ledgers; scans all keys of Redis.
   * @throws ActivityError `unknownLeaderboard`, `unknownPeriod`, `unavailable`; `ledgersGone` where ledgers of the
   * period are no longer kept.
   */
  async run({
    leaderboard: name,
    period: key,
    rules,
    top,
    onProgress,
    signal,
  }: SimulationOptions): Promise<Simulation> {
    const leaderboard = name === undefined ? this.walk.leaderboardWith(key) : this.leaderboards.find(name);
    const period = this.leaderboards.period(leaderboard, key);
    const days = this.daysOf(period);
    const { actions, where, floor, maxPoints, points: ownPoints, decimals } = leaderboard.settings;
    const units = (points: number) => unitsOf(points, decimals);
    const most = maxPoints === null ? Infinity : units(maxPoints);
    const actionOf = await this.actionsByCode();
    const worths = new Map(
      rules.map((rule) => {
        const own = ownPoints?.[rule.action];
        const worthAt = byMoment(
          rule,
          ({ points, ownerPoints = 0 }) => [units(own ?? points), units(ownerPoints)] as const,
        );
        return [rule.action, worthAt] as const;
      }),
    );
    const grantsOf = (some: readonly ResolvedRule[]): GrantsOf =>
      new Map(some.map(({ action, grants }) => [action, grants[0]]));
    const [grantsNow, grantsThen] = [grantsOf(this.rules.book.rules), grantsOf(rules)];
    const wheres = new Map(rules.map(({ action, where: places }) => [action, places]));
    const counts = (action: string) => actions?.includes(action) ?? true;
    const isGiven = (action: string, grants: GrantsOf) =>
      grants.get(action)?.leaderboards?.includes(leaderboard.name) ?? counts(action);

    const leaders = new Leaders(top);
    const worthless = new Set<string>();
    let [pointsNow, pointsThen, uneven, withLedger, done] = [0, 0, 0, 0, 0];
    const worthOf = (ledgers: readonly LedgerDay[]) => {
      let [then, now] = [0, 0];
      for (const { field, points, sinceMs, adjustment, partitions = {} } of standingFields(ledgers)) {
        if (adjustment) {
          if ((adjustment.board ?? leaderboard.name) !== leaderboard.name) continue;
          then += points;
          now += points;
          continue;
        }
        if (!isCounted(where, partitions)) continue;
        const owned = readOwnerField(field);
        const action = actionOf(owned ? owned.code : codeOfField(field));
        const isNow = owned ? isGiven(action, grantsNow) : counts(action);
        const isThen = owned ? isGiven(action, grantsThen) : counts(action);
        const [worth, ownerWorth] = worths.get(action)?.(sinceMs ?? 0) ?? [undefined, 0];
        if (isNow && worth === undefined && points !== 0) worthless.add(action);
        if (isThen && isCounted(wheres.get(action) ?? [], partitions)) then += owned ? ownerWorth : (worth ?? 0);
        if (isNow) now += points;
      }
      return [then, now].map((sum) => Math.min(Math.max(sum, floor ?? -most), most)) as [number, number];
    };
    for await (const page of this.walk.pages(leaderboard, period, { ...days, signal })) {
      const suspects: Entry[] = [];
      page.entries.forEach((entry, i) => {
        const ledgers = page.ledgers[i] ?? [];
        const [then, now] = worthOf(ledgers);
        if (ledgers.length > 0) withLedger += 1;
        if (now !== entry.score) suspects.push(entry);
        pointsNow += entry.score;
        pointsThen += then;
        const { member: userId, rank: rankNow, score, reachedAt } = entry;
        leaders.add({ userId, points: then, reachedAtMs: reachedAt?.getTime() ?? 0, rankNow, pointsNow: score });
      });
      uneven += await this.unchanged(leaderboard, period, suspects);
      done = page.done;
      onProgress?.(done, page.total);
    }
    if (done > 0 && withLedger === 0) throw noLedgers(period.key, 'none of its users has one: they are gone');
    const reachedAtMs = this.settings.clock.now();
    for await (const { userIds, ledgers } of this.walk.others(leaderboard, period, { ...days, signal })) {
      userIds.forEach((userId, i) => {
        const [points] = worthOf(ledgers[i] ?? []);
        if (points === 0) return;
        done += 1;
        pointsThen += points;
        leaders.add({ userId, points, reachedAtMs, rankNow: null, pointsNow: 0 });
      });
    }
    return {
      leaderboard: leaderboard.name,
      period: period.key,
      users: done,
      pointsNow: leaderboard.pointsOf(pointsNow),
      pointsThen: leaderboard.pointsOf(pointsThen),
      top: leaders.all().map((one) => ({
        ...one,
        points: leaderboard.pointsOf(one.points),
        pointsNow: leaderboard.pointsOf(one.pointsNow),
      })),
      worthless: [...worthless].sort(),
      uneven,
    };
  }

  /** How many entries are unchanged: an activity may have come between the reads of an entry and of its ledgers. */
  private async unchanged(leaderboard: LeaderboardBoards, period: Period, entries: readonly Entry[]): Promise<number> {
    if (entries.length === 0) return 0;
    const userIds = entries.map(({ member }) => member);
    const scores = await this.standings.scores(leaderboard, period, userIds);
    return entries.filter(({ score }, i) => score === scores[i]).length;
  }

  /** All days of the period that may have ledgers. @throws ActivityError `ledgersGone` where some are gone. */
  private daysOf(period: Period): LedgerDays {
    const days = this.walk.daysOf(period);
    if (!days.isCut) return days;
    const kept = (this.settings.ledgerRetentionMs ?? 0) / 86_400_000;
    const first = Period.of('day', period.start, period.timezone);
    throw new ActivityError(
      'ledgersGone',
      `Ledgers are kept for ${kept} days after their day, and ${period.key} began on ${first.key}: the first of them ` +
        `are gone. Periods can be simulated that began on ${days.from.key} or later.`,
    );
  }

  /** Codes of actions, of the rules of today and of all before them. */
  private async actionsByCode(): Promise<(code: string) => string> {
    const actions = new Map(
      (await everyRule(this.connection, this.ledgers, this.rules)).map(({ code, action }) => [code, action]),
    );
    return (code) => actions.get(code) ?? code;
  }
}

function standingFields(ledgers: readonly LedgerDay[]) {
  return ledgers.flatMap(({ fields }) => fields).filter(({ version, adjustment }) => version !== null || adjustment);
}
