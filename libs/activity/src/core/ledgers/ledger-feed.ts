import type { LedgerBoard, LedgerOptions } from '@laurel/leaderboard';
import type { Laws } from '@laurel/leaderboard/internals';
import { unitsOf } from '../points/decimals';
import { fieldNames } from '../rules/ledger-field';
import { withPoints } from '../rules/rule';
import type { ResolvedRules } from '../rules/rules-document';
import type { LimitConfig } from '../rules/limit';
import type { ActivitySettings, LeaderboardSettings } from '../options/settings';
import { aboutFaults, aboutText, countsText } from '../options/stored-options';
import { tallyBoard } from '../rules/rule-book';

/** The boards that one ledger of the module feeds. */
export interface LedgerFeed {
  /** Sets its keys apart; null: the module's own ledger, whose history users see. */
  readonly part: string | null;
  readonly timezone: string;
  readonly leaderboards: readonly LeaderboardSettings[];
  /** Points of actions in it, instead of those of the rules. */
  readonly points: Readonly<Record<string, number>> | null;
  /** Of points. */
  readonly decimals: number;
}

/**
 * One ledger feeds all leaderboards of the module's timezone and the rules' points, in one script call; each
 * leaderboard that has another timezone or points of its own is fed by a ledger of its own, named after it. The
 * module's is first.
 */
export function ledgerFeeds({ timezone, leaderboards, decimals }: ActivitySettings): readonly LedgerFeed[] {
  const shared = leaderboards.filter(({ hasOwnLedger }) => !hasOwnLedger);
  const own = leaderboards.filter(({ hasOwnLedger }) => hasOwnLedger);
  return [
    { part: null, timezone, leaderboards: shared, points: null, decimals },
    ...own.map((it) => ({ part: it.name, timezone: it.timezone, leaderboards: [it], points: it.points, decimals })),
  ];
}

/**
 * The terms of a ledger's grants, as ledgers keep them beside their version: rules with its points, and limits. The
 * same ones give the same text, however they were listed. Without limits it is the list of rules alone.
 */
export function feedTerms({ rules, limits }: ResolvedRules, own: LedgerFeed['points']): string {
  const inOrder = rules.map((rule) => withPoints(rule, own)).sort((a, b) => (a.action < b.action ? -1 : 1));
  const list = inOrder.map(({ action, points, revocable, days, once, ownSubject, where, grants, during, code }) => ({
    action,
    points,
    revocable,
    days,
    ...(once && { once }),
    ownSubject,
    // Rules that know of none keep their version; likewise those without a `once` or spans.
    ...(where.length > 0 && { where }),
    ...(grants.length > 0 && { grants }),
    ...(during.length > 0 && { during }),
    code,
  }));
  if (limits.length === 0) return JSON.stringify(list);
  const byName = [...limits].sort((a, b) => (a.name < b.name ? -1 : 1)).map(({ config }) => inKeyOrder(config));
  return JSON.stringify({ rules: list, limits: byName });
}

function inKeyOrder(limit: LimitConfig): object {
  return Object.fromEntries(Object.entries(limit).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * A leaderboard as boards of its ledger: its own, and one for each of its tallies.
 * @param settles whether periods are settled here. @param rules that name the tallies.
 */
export function ledgerBoards(
  { fedSpec: period, rolling, actions, maxPoints, begun, decimals, where, tallies, ...own }: LeaderboardSettings,
  settles: () => boolean,
  rules: ActivitySettings['rules'],
): readonly LedgerBoard[] {
  const { name, partition, retentionMs, latenessMs, floor } = own;
  const all = {
    ...{ period, partition, where, retentionMs, latenessMs },
    ...(begun && { endedAtMs: begun.endedAtMs, isMadeAnew: true }),
  };
  const most = maxPoints && unitsOf(maxPoints, decimals);
  const freezes = rolling === null && settles;
  return [
    { ...all, name, floor, counts: countsText({ actions, where }), maxPoints: most, freezes },
    ...tallies.map((counts) => ({ ...all, name: tallyBoard(name, counts, rules), tallyOf: name, counts })),
  ];
}

/**
 * The options of the ledger that a feed needs.
 * @param settles whether periods are settled here: asked when states are read. @param laws of its fields.
 */
export function ledgerOptions(
  settings: ActivitySettings,
  { part, timezone, leaderboards, points }: LedgerFeed,
  settles: () => boolean,
  laws: Laws,
): LedgerOptions {
  const { prefix, shards, ledgerRetentionMs, clockSkewMs, waitForReplicas, clock } = settings;
  const terms = feedTerms(settings, points);
  const keepsFirstDays = part === null && settings.firstDays;
  return {
    ...{ prefix, part, timezone, ledgerRetentionMs, clockSkewMs, clock, terms, laws, keepsFirstDays, fieldNames },
    ...(shards !== null && { shards }),
    ...{ waitForReplicas, denseMaxAgeMs: settings.cacheMs, headMaxAgeMs: settings.cacheMs },
    ...(part === null && {
      about: aboutText(settings),
      aboutFaults: (stored: string) => aboutFaults(settings, stored),
    }),
    acceptChanges: settings.acceptChanges,
    boards: leaderboards.flatMap((leaderboard) => ledgerBoards(leaderboard, settles, settings.rules)),
  };
}
