import type { Clock, PeriodKind, PeriodSpec, WaitForReplicas } from '@laurel/leaderboard';
import type { Registry } from 'prom-client';
import type { ObserverConfig, WeekStart } from './activity.options';
import type { RedisOptions } from './redis-options';
import type { DefinedLimit } from '../rules/limit-type';
import type { Tally } from '../rules/tally';
import type { ResolvedLimit } from '../rules/limit';
import type { ResolvedRule } from '../rules/rule';

/** A leaderboard with every default filled in. */
export interface LeaderboardSettings {
  readonly name: string;
  /** The kind of its periods. */
  readonly period: PeriodKind;
  /** How the periods that are read are cut. */
  readonly spec: PeriodSpec;
  /** How the periods that are written are cut: a rolling window is made from days. */
  readonly fedSpec: PeriodSpec;
  readonly timezone: string;
  /** The actions that count on it; undefined: all. */
  readonly actions: readonly string[] | undefined;
  /** Points of its own, by action; the rules' where null, and for actions that it does not name. */
  readonly points: Readonly<Record<string, number>> | null;
  /** The key of the activities' `partitions` by whose values it is split; null: it is one. */
  readonly partition: string | null;
  readonly rolling: RollingSettings | null;
  /** What it counts beside points. */
  readonly tallies: readonly Tally[];
  /** Whether it cannot share the ledger of the module: it has another timezone, or points of its own. */
  readonly hasOwnLedger: boolean;
  readonly latenessMs: number;
  readonly retentionMs: number | null;
}

/** The days up to each day. */
export interface RollingSettings {
  readonly days: number;
  /** How old what is read of it may be. */
  readonly refreshMs: number;
}

/** The module's options with every default filled in, checked and frozen: what everything inside is given. */
export interface ActivitySettings {
  /** The module's name, where the process has several; null: it has none. */
  readonly name: string | null;
  readonly redis: RedisOptions;
  readonly prefix: string;
  /** How many were configured; null: as many as the data lies in, or as suit the servers. */
  readonly shards: number | null;
  readonly timezone: string;
  readonly weekStart: WeekStart;
  readonly clockSkewMs: number;
  readonly cacheMs: number;
  readonly ledgerRetentionMs: number | null;
  readonly leaderboards: readonly LeaderboardSettings[];
  /** Names of those whose actions have changed on purpose. */
  readonly acceptChanges: readonly string[];
  /** Whether what does not stand in Redis yet is stored there. */
  readonly storesSettings: boolean;
  readonly rules: readonly ResolvedRule[];
  readonly limits: readonly ResolvedLimit[];
  readonly limitTypes: readonly DefinedLimit[];
  /** The file that rules and limits were read from, and are read from again when it changes; null: there is none. */
  readonly rulesFile: { readonly path: string; readonly text: string } | null;
  readonly firstDays: boolean;
  readonly observers: Required<ObserverConfig>;
  readonly apiKey: string | null;
  readonly clock: Clock;
  readonly maxPending: number;
  readonly recordTimeoutMs: number;
  readonly waitForReplicas: WaitForReplicas | null;
  /** Who sent a request: a user's id, or null for nobody. */
  readonly currentUser: (request: unknown) => string | null;
  /** Whether a user agent is a bot's; null: as the visits' own list has it. */
  readonly isBot: ((userAgent: string) => boolean) | null;
  readonly metricsRegistry: Registry;
}

/** Injects the {@link ActivitySettings}. */
export const ACTIVITY_SETTINGS = Symbol('ACTIVITY_SETTINGS');
