import type { Clock, WaitForReplicas } from '@laurel/leaderboard';
import type { CalendarKind } from '@laurel/leaderboard/internals';
import type { Type } from '@nestjs/common';
import type { Registry } from 'prom-client';
import type { DefinedLimit } from '../rules/limit-type';
import type { Tally } from '../rules/rule-book';
import type { LimitConfig } from '../rules/limit';
import type { Rule, RulePlace } from '../rules/rule';
import type { RedisOptions } from './redis-options';

/**
 * Who sees something, beside the API key and the user whom it is about: everyone, those who are signed in, nobody, or
 * those for whom a function returns true; `viewer` is null where nobody is signed in.
 */
export type Visibility<Asked extends { readonly viewer: string | null }> =
  'all' | 'signed-in' | 'nobody' | ((asked: Asked) => boolean | Promise<boolean>);

/** A leaderboard: one board for each period of its kind. */
export interface LeaderboardConfig {
  /** Its name in URLs, keys and `scores`: 1 to 32 of `a-z`, `0-9`, `-` and `_`. */
  readonly name: string;
  /**
   * `hour`, `day`, `week`, `month`, `quarter`, `year`, `all`; or give `contest`, `seasons` or `rolling`.
   * @defaultValue none
   */
  readonly period?: CalendarKind;
  /** Its one period: local days such as `2027-03-01`, both included. Other days: another board. @defaultValue none */
  readonly contest?: { readonly from: string; readonly to: string };
  /**
   * Its periods as your app cuts them: the day on which each begins, and one after the last. Days may be added behind
   * these; other changes make another board. @defaultValue none
   */
  readonly seasons?: readonly string[];
  /**
   * The last `days` (1 to 366) local days, at most `refreshMs` (10,000) old when read; the key of the last day names
   * the window. Recording costs as much as for a daily board; the first read after `refreshMs` rebuilds the window (see
   * `RollingBoard` of the engine). It is never settled. @defaultValue none
   */
  readonly rolling?: { readonly days: number; readonly refreshMs?: number };
  /** The IANA zone in which its periods are cut. Another zone costs a separate ledger. @defaultValue the module's */
  readonly timezone?: string;
  /** The day on which its weeks start, `monday` or `sunday`. Another day: another board. @defaultValue the module's */
  readonly weekStart?: WeekStart;
  /**
   * The first day of week 1, a `weekStart`: `2026-09-07-W0001` is the week that begins with it; none comes before.
   * Another day makes another board; the former weeks are settled, and can be read by their keys. @defaultValue none
   */
  readonly weeksFrom?: string;
  /**
   * Splits the leaderboard: one board for each value that activities have under this key. With `category`, an activity
   * with `partitions: { category: 'java' }` counts on the board `java`. Others do not count. @defaultValue none
   */
  readonly partition?: string;
  /**
   * Who may see it; keys that may `read` always may. Others get 404. A function may ask your database.
   * @defaultValue `all`
   */
  readonly visibility?: Visibility<{ readonly leaderboard: string; readonly viewer: string | null }>;
  /** The actions that count on it. @defaultValue all */
  readonly actions?: readonly string[];
  /** The partitions that count on it: `[{ partition: 'category', except: ['spam'] }]`. @defaultValue all */
  readonly where?: readonly RulePlace[];
  /** 0: hides users without points. null: shows all users, also below zero. It may change. @defaultValue `0` */
  readonly floor?: 0 | null;
  /**
   * Scores show at most this, 1 to 10^12, and at least its negative; of users above it those with more points are
   * first. Further points count (`full` in the outcome's `boards`). It may change. @defaultValue `null`, any
   */
  readonly maxPoints?: number | null;
  /** Points of actions on it, instead of those of the rules. It costs a separate ledger. @defaultValue none */
  readonly points?: Readonly<Record<string, number>>;
  /**
   * Counters for title rules, such as who commented most: `given:comment`, `received:praise`. Each costs an activity of
   * its action as much as a leaderboard does, and is complete from the first period that begins after it was added;
   * of a partitioned leaderboard, of each partition. Not for rolling windows. @defaultValue none
   */
  readonly tallies?: readonly Tally[];
  /** How long after a period's end late activities count; `rolling`: while in the window. @defaultValue the module's */
  readonly latenessMs?: number;
  /** How long after its end a period is kept; null: for ever. @defaultValue the module's, of its kind */
  readonly retentionMs?: number | null;
}

/** The days on which weeks may start: ISO weeks on Mondays. */
export const weekStarts = ['monday', 'sunday'] as const;
/** A day on which weeks may start. */
export type WeekStart = (typeof weekStarts)[number];

/** How listeners to the module's events are served: `activity.recorded` and those of operators' work. */
export interface ObserverConfig {
  /** How many events each listener may be at work on at once, 1 to 1,000. @defaultValue `8` */
  readonly concurrency?: number;
  /** Most events that may wait for a listener, 1 to 1,000,000; it misses more. @defaultValue `10_000` */
  readonly maxWaiting?: number;
  /**
   * How long a listener may take over one event, and an erasure wait for the app, 100 to 3,600,000.
   * @defaultValue `30_000`
   */
  readonly timeoutMs?: number;
}

/** What is kept for a time of its own: seasons as contests, a rolling window's days as days, and the window longer. */
export type RetentionKind = CalendarKind | 'contest' | 'ledger';

/** How long boards of each kind, and ledgers, are kept after their end, in milliseconds; null keeps them. */
export type RetentionConfig = Readonly<Partial<Record<RetentionKind, number | null>>>;

/** Options of `ActivityModule.forRoot`, and of a factory of `forRootAsync`. `undefined` means left out. */
export interface ActivityModuleOptions {
  /** Where Redis is: a server's `{ url }`, a Cluster's `{ nodes }`, `{ sentinels, name }`, or your own `{ client }`. */
  readonly redis: RedisOptions;
  /** First part of every key. @defaultValue `lr` */
  readonly prefix?: string | undefined;
  /** How many shards the users are spread over. @defaultValue those of the data; for new data 1, 16 on a Cluster */
  readonly shards?: number | undefined;
  /** The IANA zone in which days, weeks and months are cut. @defaultValue `UTC` */
  readonly timezone?: string | undefined;
  /** On which day weeks start: `monday`, ISO weeks, `2026-W47`; `sunday`: `2026-S47`. @defaultValue `monday` */
  readonly weekStart?: WeekStart | undefined;
  /**
   * How many decimals points have: 0, 1 or 2. Fixed for the data of a prefix. Each divides by ten the largest points of
   * a rule, an adjustment or a limit, and the points up to which moments are exact. @defaultValue `0`
   */
  readonly decimals?: number | undefined;
  /**
   * Identifies the app's database: use `databaseIdOf` of `@laurel/outbox`. It is stored with the points, and an app
   * with another database does not start, so that the servers of two apps are not mixed. @defaultValue none
   */
  readonly databaseId?: string | undefined;
  /** How long after its end a period accepts late activities. @defaultValue `3_600_000`, an hour */
  readonly latenessMs?: number | undefined;
  /** How far in the future an activity may be dated. @defaultValue `300_000`, five minutes */
  readonly clockSkewMs?: number | undefined;
  /** Maximum age of cached first pages and names, a tenth of that of `change`; 0: no cache. @defaultValue `500` */
  readonly cacheMs?: number | undefined;
  /**
   * How long boards, by the kind of their periods, and ledgers are kept after their end; null: for ever.
   * @defaultValue hours 7 days, days 31, weeks 182, months 365, quarters 730, years, contests and seasons 1,830,
   * all-time for good; ledgers the longest
   */
  readonly retentionMs?: RetentionConfig | undefined;
  /** The leaderboards. Each adds a write to every activity that it counts. @defaultValue `day` and `month` */
  readonly leaderboards?: readonly LeaderboardConfig[] | undefined;
  /**
   * Names of leaderboards whose `actions` or `where` change on purpose; without it, such a change is refused if there
   * are points. Earlier points stay until `rebuild`. @defaultValue none
   */
  readonly acceptChanges?: readonly string[] | undefined;
  /**
   * Whether time zone, leaderboards and the other settings that shape the data are stored in Redis if none are stored
   * yet. `false` is for a program that only reads, as operators' commands do: it stores nothing, and is refused if its
   * settings differ from the stored ones. @defaultValue `true`
   */
  readonly storesSettings?: boolean | undefined;
  /** The points of actions. @defaultValue view 1, praise 2, collect 2, comment 3; for ever publish 10, follow 2 */
  readonly rules?: readonly Rule[] | undefined;
  /** Caps that keep points from being farmed, judged with each grant. @defaultValue none */
  readonly limits?: readonly LimitConfig[] | undefined;
  /** Your own types of limits, made by `defineLimit`. @defaultValue none */
  readonly limitTypes?: readonly DefinedLimit[] | undefined;
  /** Whether the first day of each user is stored, for title rules that need `firstDay`. @defaultValue `false` */
  readonly firstDays?: boolean | undefined;
  /** How listeners to the module's events are called. @defaultValue those of its options */
  readonly observers?: ObserverConfig | undefined;
  /**
   * API key of the service-to-service routes, with all permissions. Without any, they answer 403. @defaultValue none
   */
  readonly apiKey?: string | undefined;
  /** Further keys with names, valid side by side: one for each service or operator. @defaultValue none */
  readonly apiKeys?: readonly ApiKeyConfig[] | undefined;
  /** Where the time comes from, for tests. @defaultValue the machine's */
  readonly clock?: Clock | undefined;
  /** Most activities that may wait for Redis; more are refused as `overloaded`. @defaultValue `10_000` */
  readonly maxPending?: number | undefined;
  /**
   * How long a recording call may take, with the user directory, Redis and the points of owners, before it fails.
   * @defaultValue `5_000`
   */
  readonly recordTimeoutMs?: number | undefined;
  /** How long a read waits at most for Redis, the archive or the user directory. @defaultValue `900` */
  readonly commandTimeoutMs?: number | undefined;
  /**
   * How many replicas must have an activity before it is acknowledged, so that a failover does not lose it. If too few
   * have it within `timeoutMs` (500), it is retried until `recordTimeoutMs`, and then fails as `unavailable`.
   * @defaultValue none
   */
  readonly waitForReplicas?: WaitForReplicas | undefined;
  /**
   * Public fields of profiles from `USER_DIRECTORY.find`, beyond name, avatar and text: answers have them in
   * `user.data`, as JSON. @defaultValue none
   */
  readonly profileFields?: readonly string[] | undefined;
  /** The id of the user who sent a request, or null for nobody. @defaultValue `request.user.id` */
  readonly currentUser?: ((request: unknown) => string | null) | undefined;
  /** Whether a user agent is that of a bot, whose visits earn nothing. @defaultValue by the list of isbot */
  readonly isBot?: ((userAgent: string) => boolean) | undefined;
  /** The Prometheus registry of its metrics; modules that share one add up. @defaultValue one of its own */
  readonly metricsRegistry?: Registry | undefined;
}

/**
 * The permissions of an API key: `read` data that only keys may read, `record` activities, and `operate`, which is
 * every other change.
 */
export const keyRights = ['read', 'record', 'operate'] as const;
/** A permission of a key: reads for users, recording activities, operating. */
export type KeyRight = (typeof keyRights)[number];

/** An API key with a name. */
export interface ApiKeyConfig {
  /** Its name in the list of operations: 1 to 64 of `a-z`, `0-9`, `-` and `_`. */
  readonly name: string;
  /** 16 to 512 printable ASCII characters without spaces. */
  readonly key: string;
  /** Its permissions. @defaultValue all three */
  readonly may?: readonly KeyRight[] | undefined;
}

/** How the module's routes are mounted. */
export interface ControllerConfig {
  /** Prefix of their paths: `api` gives `/api/ranks`. @defaultValue nothing */
  readonly path?: string;
  /** Your guards, run before the module's; `imports` of each module bring what they inject. @defaultValue none */
  readonly guards?: readonly Type[];
  /** Decorators put on each controller. @defaultValue none */
  readonly decorators?: readonly ClassDecorator[];
}

/** Options of the module itself, given with the others, in `forRootAsync` next to `useFactory`. */
export interface ActivityModuleExtras {
  /**
   * Names the module, if a process has several: 1 to 32 of `a-z`, `0-9` and `-`, a letter first. The module `blog`
   * hears `blog.activity.praise`, announces `blog.activity.recorded`, and is injected by {@link getActivityToken}.
   * @defaultValue none
   */
  readonly name?: string | undefined;
  /** Whether other modules need not import it. @defaultValue `true` */
  readonly isGlobal?: boolean;
  /** How its routes and those of the other modules are mounted; `false` leaves them out. @defaultValue unchanged */
  readonly controllers?: false | ControllerConfig;
}
