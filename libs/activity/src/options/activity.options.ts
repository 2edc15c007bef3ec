import type { Clock, WaitForReplicas } from '@laurel/leaderboard';
import type { CalendarKind } from '@laurel/leaderboard/internals';
import type { Type } from '@nestjs/common';
import type { Registry } from 'prom-client';
import type { DefinedLimit } from '../rules/limit-type';
import type { Tally } from '../rules/tally';
import type { LimitConfig } from '../rules/limit';
import type { Rule } from '../rules/rule';
import type { RedisOptions } from './redis-options';

/** A leaderboard: one board for each period of its kind. */
export interface LeaderboardConfig {
  /** 1 to 32 of `a-z`, `0-9`, `-` and `_`; its name in URLs, keys and `scores`. */
  readonly name: string;
  /** The kind of its periods. One of this, `contest` and `rolling` is given. */
  readonly period?: CalendarKind;
  /** Its one period: from the first moment of one local day to the last of another, `2026-11-20`. */
  readonly contest?: { readonly from: string; readonly to: string };
  /**
   * The `days` (1 to 366) local days up to each day, at most `refreshMs` old when read. It costs each recorded activity
   * as a board of days does, and a reader of a stale window what `RollingBoard` of the engine says. It is never
   * settled. Default of `refreshMs`: 10,000.
   */
  readonly rolling?: { readonly days: number; readonly refreshMs?: number };
  /** The IANA zone in which its periods are cut. Another than the module's costs a ledger of its own. */
  readonly timezone?: string;
  /** On which day its weeks start. Default: the module's `weekStart`. */
  readonly weekStart?: WeekStart;
  /**
   * Counts its weeks from this day, a `weekStart`: `2026-09-07-W0001` is the week that begins with it; none comes
   * before. Counted from another day, the board begins anew; the weeks of before are settled, and read by their keys.
   */
  readonly weeksFrom?: string;
  /**
   * Splits it: a board for each value that activities name under this key of their `partitions`, `category` for one.
   * Activities that name none do not count on it.
   */
  readonly partition?: string;
  /** The actions that count on it. Default: all. */
  readonly actions?: readonly string[];
  /** 0: only who has a point or more shows. null: all do, those below zero too. It may change. Default 0. */
  readonly floor?: 0 | null;
  /**
   * The most points that it shows of a user, 1 to 10^12, and as many below zero; who has more is ahead. What leads
   * beyond counts elsewhere, and is `full` in the outcome's `boards`. It may change. null: any. Default null.
   */
  readonly maxPoints?: number | null;
  /** What actions are worth on it, where that is not what their rules say. It costs a ledger of its own. */
  readonly points?: Readonly<Record<string, number>>;
  /**
   * What it counts beside points, so that title rules can know who is first: `given:comment`, `received:praise`. Each
   * costs every activity of its action as a leaderboard does, and is true from the first period that begins with it.
   * Not of rolling windows and partitioned leaderboards. Default: nothing.
   */
  readonly tallies?: readonly Tally[];
  /** How long after a period's end late activities still count. Default: the module's `latenessMs`. */
  readonly latenessMs?: number;
  /** How long after its end a period is kept; null keeps it. Default: the module's `retentionMs` of its kind. */
  readonly retentionMs?: number | null;
}

/** The days on which weeks may start: ISO weeks on Mondays. */
export const weekStarts = ['monday', 'sunday'] as const;
/** A day on which weeks may start. */
export type WeekStart = (typeof weekStarts)[number];

/** How listeners to the module's events are served: `activity.recorded` and those of operators' work. */
export interface ObserverConfig {
  /** How many events each listener may be at work on at once, 1 to 1,000. Default 8. */
  readonly concurrency?: number;
  /** Most events that may wait for listeners, 1 to 1,000,000; more slow down who records. Default 10,000. */
  readonly maxWaiting?: number;
  /**
   * How long a listener may take over one event before it is no longer waited for, 100 to 3,600,000. Default 30,000.
   */
  readonly timeoutMs?: number;
}

/**
 * What is kept for a time of its own. The boards of a rolling window's days are kept as days, and the window longer.
 */
export type RetentionKind = CalendarKind | 'contest' | 'ledger';

/** How long boards of each kind, and ledgers, are kept after their end, in milliseconds; null keeps them. */
export type RetentionConfig = Readonly<Partial<Record<RetentionKind, number | null>>>;

/** What `ActivityModule.forRoot` takes, and what a factory of `forRootAsync` gives. Undefined is as left out. */
export interface ActivityModuleOptions {
  readonly redis: RedisOptions;
  /** First part of every key. Default `lr`. */
  readonly prefix?: string | undefined;
  /**
   * How many shards the users are spread over. Default: as many as the data lies in; where there is none 1, and 16 on a
   * Cluster.
   */
  readonly shards?: number | undefined;
  /** The IANA zone in which days and months are cut. Default `UTC`. */
  readonly timezone?: string | undefined;
  /**
   * On which day weeks start: ISO weeks, `2026-W47`, on `monday`; others, `2026-S47`, on `sunday`. Default `monday`.
   */
  readonly weekStart?: WeekStart | undefined;
  /**
   * How many decimals points have: 0, 1 or 2. Fixed for the data of a prefix. Each divides by ten what a rule, an
   * adjustment, a limit of points and a board may have at most. Default 0.
   */
  readonly decimals?: number | undefined;
  /** How long after its end a period still accepts late activities. Default an hour. */
  readonly latenessMs?: number | undefined;
  /** How far in the future an activity may be dated. Default five minutes. */
  readonly clockSkewMs?: number | undefined;
  /** How old a first page of standings, and users' names, may be; 0 reads every time. Default 500. */
  readonly cacheMs?: number | undefined;
  /** Default: days 31 days, weeks 182, months 365, years and contests 1830, all-time for good, ledgers 31. */
  readonly retentionMs?: RetentionConfig | undefined;
  /** Default `day` and `month`. Each costs every recorded activity. */
  readonly leaderboards?: readonly LeaderboardConfig[] | undefined;
  /**
   * Names of leaderboards whose `actions` are others than before on purpose: without it an app is refused that lets
   * other actions count on a leaderboard with points. What counted before stays until `rebuild`. Default: none.
   */
  readonly acceptChanges?: readonly string[] | undefined;
  /**
   * Whether timezone, leaderboards and all that says how data is made are stored in Redis where nothing stands yet.
   * Default true. False is for a program that only reads, as operators' commands do: it fits what an app has stored, or
   * is refused, and leaves an empty prefix empty.
   */
  readonly storesSettings?: boolean | undefined;
  /** What counts. Default: view 1, praise 2, collect 2, comment 3, publish 10, follow 2. */
  readonly rules?: readonly Rule[] | undefined;
  /** What keeps points from being farmed, checked in the script call that grants. Default: none. */
  readonly limits?: readonly LimitConfig[] | undefined;
  /** Types of limits of the app's own, made by `defineLimit`. Default: none. */
  readonly limitTypes?: readonly DefinedLimit[] | undefined;
  /**
   * Instead of `rules` and `limits`: a file that has both as JSON, `{ "rules": [...], "limits": [...] }`. It is
   * watched: a good change of it is in force within about three seconds, on every instance; a bad one changes nothing.
   */
  readonly rulesFile?: string | undefined;
  /** Whether the first day of each user is stored, for title rules that need `firstDay`. Default false. */
  readonly firstDays?: boolean | undefined;
  /** How listeners to the module's events are served: `activity.recorded` and those of operators' work. */
  readonly observers?: ObserverConfig | undefined;
  /** Key of the service-to-service routes. Without one they answer 403. */
  readonly apiKey?: string | undefined;
  /** Where the time comes from. Default: the machine's. */
  readonly clock?: Clock | undefined;
  /** Most activities that may wait for Redis; more are refused as `overloaded`. Default 10,000. */
  readonly maxPending?: number | undefined;
  /**
   * How long a recording call waits at most, for slow listeners, the user directory, Redis and the points of owners
   * together, before it fails. Default 5,000.
   */
  readonly recordTimeoutMs?: number | undefined;
  /**
   * On how many replicas of its master what is recorded must be before it is acknowledged: a failover does not lose it
   * then. Where too few have it within `timeoutMs` (default 500), it is tried again until `recordTimeoutMs`, and fails
   * as `unavailable`. Default: none.
   */
  readonly waitForReplicas?: WaitForReplicas | undefined;
  /** Who sent a request: a user's id, or null for nobody. Default: `request.user.id`. */
  readonly currentUser?: ((request: unknown) => string | null) | undefined;
  /**
   * Whether a visit's user agent is a bot's, which earns nothing. Default: by the list of the package isbot, without
   * the libraries by which apps ask for their users.
   */
  readonly isBot?: ((userAgent: string) => boolean) | undefined;
  /**
   * Where the module's metrics are registered. Modules of one process that share a registry are added up there.
   * Default: a registry of its own, `METRICS_REGISTRY`.
   */
  readonly metricsRegistry?: Registry | undefined;
}

/** How the module's routes are mounted. */
export interface ControllerConfig {
  /** What their paths begin with: `api` gives `/api/ranks`. Default: nothing. */
  readonly path?: string;
  /** Guards of the app's own, run before the module's. */
  readonly guards?: readonly Type[];
  /** Decorators put on each controller. */
  readonly decorators?: readonly ClassDecorator[];
}

/** What shapes the module itself; given beside the options, in `forRootAsync` beside `useFactory`. */
export interface ActivityModuleExtras {
  /**
   * Tells the modules of a process apart: 1 to 32 of `a-z`, `0-9` and `-`, a letter first. The module `blog` hears
   * `blog.activity.praise`, announces `blog.activity.recorded`, and is injected by {@link getActivityToken}. Default:
   * none.
   */
  readonly name?: string | undefined;
  /** Whether other modules need not import it. Default true. */
  readonly isGlobal?: boolean;
  /** The module's own routes: `false` leaves them out. Default: on. */
  readonly controllers?: false | ControllerConfig;
}
