import type { Clock, LedgerBoard, PeriodKind } from '@laurel/leaderboard';
import type { Registry } from 'prom-client';
import type { RedisOptions } from '../activity.options';
import type { ResolvedLimit } from '../limits/limit';
import type { ResolvedRule } from '../rules/rule';

/** A leaderboard with every default filled in. */
export interface LeaderboardSettings extends LedgerBoard {
  readonly name: string;
  readonly period: PeriodKind;
  /** The actions that count on it; undefined: all. */
  readonly actions: readonly string[] | undefined;
}

/** How finished periods are settled, with every default filled in. */
export interface SettlementSettings {
  /** Whether this instance looks for periods that are due. */
  readonly isOn: boolean;
  readonly everyMs: number;
  readonly winners: number;
  readonly leaseMs: number;
  readonly archiveRetentionMs: number | null;
}

/** The module's options with every default filled in, checked and frozen: what everything inside is given. */
export interface ActivitySettings {
  readonly redis: RedisOptions;
  readonly prefix: string;
  readonly shards: number;
  readonly timezone: string;
  readonly clockSkewMs: number;
  readonly cacheMs: number;
  readonly ledgerRetentionMs: number | null;
  readonly leaderboards: readonly LeaderboardSettings[];
  readonly rules: readonly ResolvedRule[];
  readonly limits: readonly ResolvedLimit[];
  readonly settlement: SettlementSettings;
  readonly apiKey: string | null;
  readonly clock: Clock;
  readonly maxPending: number;
  readonly recordTimeoutMs: number;
  readonly currentUser: (request: unknown) => string | null;
  readonly metricsRegistry: Registry;
}

/** Injects the {@link ActivitySettings}. */
export const ACTIVITY_SETTINGS = Symbol('ACTIVITY_SETTINGS');
