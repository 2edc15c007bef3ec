import { Injectable } from '@nestjs/common';
import type { LedgerDay } from '@laurel/leaderboard';
import { ActivityError } from '@laurel/activity';
import {
  type LeaderboardBoards,
  Leaderboards,
  type RuleEntry,
  RulesInForce,
  faultsError,
  giverToken,
  readOwnerField,
} from '@laurel/activity/internals';
import { LedgerWalk, noLedgers } from './ledger-walk';
import { findRings } from './rings/find-rings';
import type { ReportedRings } from './reported-rings';
import { TightestEdges } from './rings/tightest-edges';

/** The rings to look for. */
export interface RingReportOptions {
  /** The leaderboard whose users to search. Default: the first that has the period and on which the action counts. */
  readonly leaderboard?: string;
  /** As in `GET /ranks/:leaderboard?period=`. */
  readonly period: string;
  /** Which action, whose rule has `grants` to the owner. Default `praise`. */
  readonly action?: string;
  /** How often each gives to the next at least, from 1. Default 5. */
  readonly min?: number;
  /** How many rings to return, from 1. Default 100. */
  readonly top?: number;
  /** How many pairs to remember, the tightest. Default two million: some 300 MB. */
  readonly maxEdges?: number;
  /** How many steps from user to user to try, in one go. Default 50 million: some ten seconds. */
  readonly maxSteps?: number;
  /** Called with how many users of how many are done. */
  readonly onProgress?: (done: number, total: number) => void;
  /** Stops it. */
  readonly signal?: AbortSignal;
}

/** All rings of so many users are found; of longer ones, see {@link findRings}. */
const allUpTo = 5;

/** Finds users who give one another points: pairs, and rings. */
@Injectable()
export class RingReport {
  constructor(
    private readonly leaderboards: Leaderboards,
    private readonly walk: LedgerWalk,
    private readonly rules: RulesInForce,
  ) {}

  /**
   * Reads the users of the period's standings, page by page, then the excluded ones, and counts in their ledgers how
   * often each giver gave. Takes the memory of one page and of the pairs that reach `min`, of `maxEdges` the tightest;
   * one round trip for each 50 users, and one more for their ledgers.
   * @throws ActivityError `unknownAction` where there is no such action, or its rule does not count what owners
   * receive; `unknownLeaderboard`; `invalidQuery` where the action does not count on the leaderboard; `unknownPeriod`;
   * `ledgersGone` where none of the period's are left; `unavailable`.
   */
  async run(options: RingReportOptions): Promise<ReportedRings> {
    const { period: key, action = 'praise', min = 5, top = 100, onProgress, signal } = options;
    const { maxEdges = 2_000_000, maxSteps = 50_000_000 } = options;
    const code = this.codeOf(action);
    const leaderboard = this.leaderboardOf(options, action);
    const period = this.leaderboards.period(leaderboard, key);
    const days = this.walk.daysOf(period);
    if (days.from.start > days.to.start) throw noLedgers(period.key, `they are kept from ${days.from.key} on`);

    const edges = new TightestEdges(maxEdges, min);
    // Users of a ring both give and receive: those that receive nothing are in none.
    const idOf = new Map<string, string>();
    const excluded = new Set<string>();
    let users = 0;
    for await (const page of this.walk.pages(leaderboard, period, { ...days, signal, withExcluded: true })) {
      page.entries.forEach(({ member }, i) => {
        const to = giverToken(member);
        if (page.areExcluded) excluded.add(member);
        // They may come twice: kept off, or overtaken, while others were read.
        if (idOf.has(to)) return;
        for (const [from, count] of giversIn(page.ledgers[i] ?? [], code)) {
          if (edges.add({ from, to, count })) idOf.set(to, member);
        }
      });
      users = page.done;
      onProgress?.(page.done, page.total);
    }
    const closed = edges.kept.filter(({ from }) => idOf.has(from));
    const found = findRings(closed, { allUpTo, top, maxSteps });
    const rings = found.rings.map((ring) => ({ ...ring, users: ring.users.map((user) => idOf.get(user) ?? user) }));
    return {
      period: period.key,
      action,
      min,
      from: days.from.key,
      to: days.to.key,
      since: days.from.start.toISOString(),
      users,
      edges: edges.count,
      rings,
      total: found.total,
      isPartial: found.isPartial || edges.kept.length < edges.count,
      excluded: [...new Set(rings.flatMap((ring) => ring.users))].filter((user) => excluded.has(user)),
    };
  }

  private leaderboardOf({ leaderboard: name, period }: RingReportOptions, action: string): LeaderboardBoards {
    const counts = ({ settings: { hasOwnLedger, actions } }: LeaderboardBoards) =>
      !hasOwnLedger && (actions?.includes(action) ?? true);
    // On one of some categories not all stand who do it.
    const countsAll = (one: LeaderboardBoards) => counts(one) && one.settings.where.length === 0;
    if (name === undefined) return this.walk.leaderboardWith(period, countsAll);
    const leaderboard = this.leaderboards.find(name);
    if (counts(leaderboard)) return leaderboard;
    const message = `must be a leaderboard without a ledger of its own, on which "${action}" counts`;
    throw faultsError('invalidQuery', [{ path: 'leaderboard', message }]);
  }

  private codeOf(action: string): string {
    const { book } = this.rules;
    const entry = book.find(action);
    if (entry && countsOwners(entry)) return entry.rule.code;
    const why = entry
      ? `The rule of "${action}" does not count what owners receive: give it grants: [{ "to": "owner", "points": 0 }]`
      : `There is no action "${action.slice(0, 40)}"`;
    const counting = book.actions.filter((name) => countsOwners(book.find(name) as RuleEntry));
    throw new ActivityError('unknownAction', `${why}. Counted are: ${counting.join(', ') || 'none'}.`);
  }
}

function countsOwners({ rule }: RuleEntry): boolean {
  return rule.grants.length > 0;
}

/** By giver, as fields have them, how often they did the action to subjects of the ledgers' user. */
function giversIn(ledgers: readonly LedgerDay[], code: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { fields } of ledgers) {
    for (const { field, version } of fields) {
      const owned = version === null ? null : readOwnerField(field);
      if (owned?.code === code) counts.set(owned.giver, (counts.get(owned.giver) ?? 0) + 1);
    }
  }
  return counts;
}
