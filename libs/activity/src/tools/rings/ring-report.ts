import { Injectable } from '@nestjs/common';
import type { LedgerDay } from '@laurel/leaderboard';
import { ActivityError } from '../../errors/errors';
import { LedgerWalk, noLedgers } from '../ledger-walk';
import { giverToken, readOwnerField } from '../../rules/ledger-field';
import { Leaderboards } from '../../ranks/leaderboards';
import { RulesInForce } from '../../rules/rules-in-force';
import { findRings, type Ring } from './find-rings';
import { TightestEdges } from './tightest-edges';

/** What to look for. */
export interface RingReportOptions {
  /** As in `GET /ranks/:leaderboard?period=`. */
  readonly period: string;
  /** Which action, whose rule has `grants` to the owner. Default `praise`. */
  readonly action?: string;
  /** How often each gives to the next at least, from 1. Default 5. */
  readonly min?: number;
  /** How many rings to return, from 1. Default 100. */
  readonly top?: number;
  /** Called with how many users of how many are done. */
  readonly onProgress?: (done: number, total: number) => void;
  /** Stops it. */
  readonly signal?: AbortSignal;
}

/** Users that give one another points, and how often. */
export interface ReportedRings {
  readonly period: string;
  readonly action: string;
  readonly min: number;
  /** The first and the last day whose ledgers were read: those of the period's first days may be gone. */
  readonly from: string;
  readonly to: string;
  /** Users on the standings of the period. */
  readonly users: number;
  /** Pairs of users of whom one gives the other at least `min` times. */
  readonly edges: number;
  /** The tightest first. */
  readonly rings: readonly Ring[];
  /** How many rings there are, returned or not. */
  readonly total: number;
  /** Whether there were more ways than were tried, or more pairs than are kept: then the loosest went. */
  readonly isPartial: boolean;
}

const maxUsers = 5;
/** Some ten seconds. */
const maxSteps = 50_000_000;
/** Some 300 MB. */
const maxEdges = 2_000_000;

/** Finds users who give one another points: pairs, and rings of up to five. */
@Injectable()
export class RingReport {
  constructor(
    private readonly leaderboards: Leaderboards,
    private readonly walk: LedgerWalk,
    private readonly rules: RulesInForce,
  ) {}

  /**
   * Walks the users of the period's standings, page by page, and counts in their ledgers how often each giver gave.
   * Takes the memory of one page and of the pairs that reach `min`, of two million the tightest; one round trip for
   * each 50 users, and one more for their ledgers.
   * @throws ActivityError `unknownAction` where there is no such action, or its rule does not count what owners
   * receive; `unknownPeriod`; `ledgersGone` where none of the period's are left; `unavailable`.
   */
  async run(options: RingReportOptions): Promise<ReportedRings> {
    const { period: key, action = 'praise', min = 5, top = 100, onProgress, signal } = options;
    const code = this.codeOf(action);
    const leaderboard = this.walk.leaderboardWith(key, ({ settings: { hasOwnLedger, actions } }) => {
      return !hasOwnLedger && (actions?.includes(action) ?? true);
    });
    const period = this.leaderboards.period(leaderboard, key);
    const days = this.walk.daysOf(period);
    if (days.from.start > days.to.start) throw noLedgers(period.key, `they are kept from ${days.from.key} on`);

    const edges = new TightestEdges(maxEdges, min);
    // Users of a ring both give and receive: those that receive nothing are in none.
    const idOf = new Map<string, string>();
    let users = 0;
    for await (const page of this.walk.pages(leaderboard, period, { ...days, signal })) {
      page.entries.forEach(({ member }, i) => {
        const to = giverToken(member);
        for (const [from, count] of giversIn(page.ledgers[i] ?? [], code)) {
          if (edges.add({ from, to, count })) idOf.set(to, member);
        }
      });
      users = page.done;
      onProgress?.(page.done, page.total);
    }
    const closed = edges.kept.filter(({ from }) => idOf.has(from));
    const found = findRings(closed, { maxUsers, top, maxSteps });
    const rings = found.rings.map((ring) => ({ ...ring, users: ring.users.map((user) => idOf.get(user) ?? user) }));
    const [from, to] = [days.from.key, days.to.key];
    const isPartial = found.isPartial || edges.kept.length < edges.count;
    return { period: period.key, action, min, from, to, users, edges: edges.count, ...found, rings, isPartial };
  }

  private codeOf(action: string): string {
    const { book } = this.rules;
    const entry = book.find(action);
    if (entry?.owner) return entry.rule.code;
    const why = entry
      ? `The rule of "${action}" does not count what owners receive: give it grants: [{ "to": "owner", "points": 0 }]`
      : `There is no action "${action.slice(0, 40)}"`;
    const counting = book.actions.filter((name) => book.find(name)?.owner);
    throw new ActivityError('unknownAction', `${why}. Counted are: ${counting.join(', ') || 'none'}.`);
  }
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
