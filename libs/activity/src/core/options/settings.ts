import type { PeriodKind, PeriodSpec, WaitForReplicas } from '@laurel/leaderboard';
import type {
  ActivityModuleOptions,
  ApiKeyConfig,
  KeyRight,
  LeaderboardConfig,
  ObserverConfig,
  RetentionKind,
  WeekStart,
} from './activity.options';
import type { ResolvedLimit } from '../rules/limit';
import type { ResolvedRule } from '../rules/rule';

/** A leaderboard with every default filled in. */
export interface LeaderboardSettings extends Required<
  Pick<LeaderboardConfig, 'name' | 'timezone' | 'where' | 'tallies' | 'floor' | 'maxPoints' | 'visibility'> &
    Pick<LeaderboardConfig, 'latenessMs' | 'retentionMs'>
> {
  /** The kind of its periods. */
  readonly period: PeriodKind;
  /** How the periods that are read are cut. */
  readonly spec: PeriodSpec;
  /** How the periods that are written are cut: a rolling window is made from days. */
  readonly fedSpec: PeriodSpec;
  /** The actions that count on it; undefined: all. */
  readonly actions: readonly string[] | undefined;
  /** Points of its own, by action; the rules' where null, and for actions that it does not name. */
  readonly points: Readonly<Record<string, number>> | null;
  /** The key of the activities' `partitions` by whose values it is split; null: it is one. */
  readonly partition: string | null;
  readonly rolling: RollingSettings | null;
  /** Of points, as the module's. */
  readonly decimals: number;
  /** Whether it cannot share the ledger of the module: it has another timezone, or points of its own. */
  readonly hasOwnLedger: boolean;
  /** Of one that began while the app runs: when it was ended, if it was. Undefined: it is of the options. */
  readonly begun?: { readonly endedAtMs: number | null };
}

/** The defaults of a leaderboard. */
export interface LeaderboardDefaults {
  readonly actions: readonly string[];
  /** For each kind of period, how long boards are kept after their end; null: for good. */
  readonly retentionMs: Readonly<Record<Exclude<RetentionKind, 'ledger'>, number | null>>;
  readonly latenessMs: number;
  readonly timezone: string;
  readonly weekStart: WeekStart;
  readonly decimals: number;
}

/** The days up to each day, and how old what is read of them may be. */
export type RollingSettings = Required<NonNullable<LeaderboardConfig['rolling']>>;

/** These options, none left out. */
type Filled<Name extends keyof ActivityModuleOptions> = {
  readonly [Option in Name]-?: NonNullable<ActivityModuleOptions[Option]>;
};

/** The module's options with every default filled in, checked and frozen: what everything inside is given. */
export interface ActivitySettings
  extends
    Filled<'redis' | 'prefix' | 'timezone' | 'weekStart' | 'decimals' | 'clockSkewMs' | 'cacheMs' | 'acceptChanges'>,
    Filled<'storesSettings' | 'limitTypes' | 'firstDays' | 'clock' | 'maxPending' | 'recordTimeoutMs'>,
    Filled<'commandTimeoutMs' | 'metricsRegistry' | 'profileFields'> {
  /** The module's name, where the process has several; null: it has none. */
  readonly name: string | null;
  /** How many were configured; null: as many as the data lies in, or as suit the servers. */
  readonly shards: number | null;
  readonly databaseId: string | null;
  readonly ledgerRetentionMs: number | null;
  /** Those of the options, and those that began since: those of {@link inForce}. */
  readonly leaderboards: readonly LeaderboardSettings[];
  readonly inForce: { leaderboards: readonly LeaderboardSettings[] };
  readonly leaderboardDefaults: LeaderboardDefaults;
  readonly rules: readonly ResolvedRule[];
  readonly limits: readonly ResolvedLimit[];
  /** The sender of a request: a user's id, or null for nobody. */
  readonly currentUser: (request: unknown) => string | null;
  readonly observers: Required<ObserverConfig>;
  /** The one with all permissions is named `api-key`. */
  readonly apiKeys: readonly (ApiKeyConfig & { readonly may: readonly KeyRight[] })[];
  readonly waitForReplicas: WaitForReplicas | null;
  /** Whether a user agent is a bot's; null: as the visits' own list has it. */
  readonly isBot: ((userAgent: string) => boolean) | null;
}

/** Injects the {@link ActivitySettings}. */
export const ACTIVITY_SETTINGS = Symbol('ACTIVITY_SETTINGS');
