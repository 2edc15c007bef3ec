import { Period, type Entry, type LedgerDay } from '@laurel/leaderboard';
import { Inject, Injectable } from '@nestjs/common';
import { ActivityService } from '../activity.service';
import { RedisConnection } from '../connection/redis-connection';
import { ActivityError } from '../errors';
import type { LeaderboardBoards } from '../ledgers/leaderboard-boards';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../options/settings';
import { Leaderboards } from '../ranks/leaderboards';
import { StandingsFinder } from '../ranks/standings/standings-finder';
import { codeOfField } from '../rules/ledger-field';
import { RulesInForce } from '../rules/rules-in-force';
import type { ResolvedRule } from '../rules/rule';
import { Leaders, type SimulatedScore } from './leaders';

/** What to simulate. */
export interface SimulationOptions {
  /** Default: the first leaderboard that has the period. */
  readonly leaderboard?: string;
  /** As in `GET /ranks/:leaderboard?period=`. */
  readonly period: string;
  readonly rules: readonly ResolvedRule[];
  /** How many places to tell, from 1 to 1,000. */
  readonly top: number;
  /** Told how many users of how many are done. */
  readonly onProgress?: (done: number, total: number) => void;
  /** Breaks it off; what is known by then is dropped. */
  readonly signal?: AbortSignal;
}

/** One user's place as it is, and as it would be. */
export interface SimulatedPlace extends SimulatedScore {
  readonly placeNow: number;
  readonly pointsNow: number;
}

/** How a period would have stood. */
export interface Simulation {
  readonly leaderboard: string;
  readonly period: string;
  readonly users: number;
  readonly pointsNow: number;
  readonly pointsThen: number;
  /** The best under the simulated rules, in order; who would have no points is left out. */
  readonly top: readonly SimulatedPlace[];
  /** Actions that were recorded, and that the simulated rules give nothing for. */
  readonly worthless: readonly string[];
  /** Users whose ledgers do not add up to their points: something was cancelled, or came, after the period was closed. */
  readonly uneven: number;
}

/** Users whose ledgers are read at once. */
const pageSize = 50;

/** Computes from the ledgers how a period would have stood if its actions had been worth other points. */
@Injectable()
export class RuleSimulation {
  constructor(
    private readonly leaderboards: Leaderboards,
    private readonly finder: StandingsFinder,
    private readonly activities: ActivityService,
    private readonly connection: RedisConnection,
    private readonly inForce: RulesInForce,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
  ) {}

  /**
   * Walks everybody on the real standings, page by page, and adds up what stands in his ledgers. Changes nothing. In the
   * memory of a page and of `top`; a round trip for each 50 users, and one more for their ledgers.
   * @throws ActivityError `unknownLeaderboard`, `unknownPeriod`, `unavailable`; `ledgersGone` where ledgers of the period
   * are no longer kept.
   */
  async run({
    leaderboard: name,
    period: key,
    rules,
    top,
    onProgress,
    signal,
  }: SimulationOptions): Promise<Simulation> {
    const leaderboard = name === undefined ? this.leaderboardWith(key) : this.leaderboards.find(name);
    const period = this.leaderboards.period(leaderboard, key);
    const [from, to] = this.daysOf(period);
    const { actions, points: ownPoints } = leaderboard.settings;
    const actionOf = await this.actionsByCode();
    const pointsOf = new Map(rules.map(({ action, points }) => [action, ownPoints?.[action] ?? points]));
    const counts = (action: string) => actions?.includes(action) ?? true;
    const found = await this.finder.find(leaderboard, period);
    const { standings, read } = found;

    const users = await read(() => standings.size());
    const leaders = new Leaders<SimulatedPlace>(top);
    const worthless = new Set<string>();
    let [pointsNow, pointsThen, uneven, withLedger, done] = [0, 0, 0, 0, 0];
    for (let cursor: string | null = null; ;) {
      signal?.throwIfAborted();
      const page: { readonly entries: Entry[]; readonly next: string | null } = await read(() =>
        standings.after(cursor, pageSize),
      );
      const ledgers = await this.connection.read(() =>
        leaderboard.ledger.histories(
          page.entries.map(({ member }) => member),
          from,
          to,
        ),
      );
      page.entries.forEach((entry, i) => {
        let [then, now] = [0, 0];
        for (const { field, points } of standingFields(ledgers[i] ?? [])) {
          const action = actionOf(codeOfField(field));
          if (!counts(action)) continue;
          const worth = pointsOf.get(action);
          if (worth === undefined) worthless.add(action);
          then += worth ?? 0;
          now += points;
        }
        if ((ledgers[i] ?? []).length > 0) withLedger += 1;
        if (now !== entry.score) uneven += 1;
        pointsNow += entry.score;
        pointsThen += then;
        const { member: userId, rank: placeNow, score, reachedAt } = entry;
        leaders.add({ userId, points: then, reachedAtMs: reachedAt?.getTime() ?? 0, placeNow, pointsNow: score });
      });
      done += page.entries.length;
      onProgress?.(done, Math.max(users, done));
      if (page.next === null) break;
      cursor = page.next;
    }
    if (done > 0 && withLedger === 0) throw noLedgers(period.key, 'none of its users has one: they are gone');
    return {
      leaderboard: leaderboard.name,
      period: period.key,
      users: done,
      pointsNow,
      pointsThen,
      top: leaders.all(),
      worthless: [...worthless].sort(),
      uneven,
    };
  }

  private leaderboardWith(key: string): LeaderboardBoards {
    const all = this.leaderboards.all().filter(({ settings }) => settings.partition === null);
    const found = all.find((leaderboard) => this.hasPeriod(leaderboard, key));
    if (found) return found;
    const kinds = all.map(({ name, settings }) => `${name} (${settings.period})`).join(', ');
    throw new ActivityError('unknownPeriod', `No leaderboard has a period "${key.slice(0, 40)}": there are ${kinds}.`);
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

  /** The first and the last day of the period that may have ledgers. */
  private daysOf(period: Period): readonly [Period, Period] {
    const { clock, clockSkewMs, ledgerRetentionMs } = this.settings;
    const { timezone } = period;
    const day = (atMs: number) => Period.of('day', new Date(atMs), timezone);
    const nowMs = clock.now();
    const first = day(period.start.getTime());
    if (ledgerRetentionMs !== null && (first.end?.getTime() ?? Infinity) + ledgerRetentionMs <= nowMs) {
      const days = ledgerRetentionMs / 86_400_000;
      throw new ActivityError(
        'ledgersGone',
        `Ledgers are kept for ${days} days after their day, and ${period.key} began on ${first.key}: the first of them ` +
          `are gone. Periods can be simulated that began on ${firstKept(day(nowMs), nowMs - ledgerRetentionMs).key} or later.`,
      );
    }
    const lastMs = Math.min((period.end?.getTime() ?? Infinity) - 1, nowMs + clockSkewMs);
    if (lastMs < period.start.getTime()) throw noLedgers(period.key, 'it has not begun');
    return [first, day(lastMs)];
  }

  /** Codes of actions, of the rules of today and of all before them. */
  private async actionsByCode(): Promise<(code: string) => string> {
    const versions = await this.activities.ruleVersions();
    const rules = [...versions.flatMap((version) => version.rules), ...this.inForce.book.rules];
    const actions = new Map(rules.map(({ code, action }) => [code, action]));
    return (code) => actions.get(code) ?? code;
  }
}

function standingFields(ledgers: readonly LedgerDay[]) {
  return ledgers.flatMap(({ fields }) => fields).filter(({ points }) => points > 0);
}

/** The first day whose ledger is there: it ended after `sinceMs`. */
function firstKept(today: Period, sinceMs: number): Period {
  let day = today;
  for (let before = day.previous(); before && (before.end?.getTime() ?? 0) > sinceMs; before = day.previous())
    day = before;
  return day;
}

function noLedgers(period: string, why: string): ActivityError {
  return new ActivityError('ledgersGone', `There are no ledgers of ${period}: ${why}.`);
}
