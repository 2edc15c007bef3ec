import { type DynamicModule, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { type ASYNC_OPTIONS_TYPE, ConfigurableModuleClass, type OPTIONS_TYPE } from './activity.module-definition';
import { ActivityService } from './recording/activity.service';
import { ApiKey } from './http/api-key';
import { VisibleBoards } from './http/visible-boards';
import { ActivityLifecycle } from './startup/activity-lifecycle';
import { bookIn, Ledgers } from './ledgers/ledgers';
import { LedgerUpkeep } from './ledgers/ledger-upkeep';
import { REDIS_CLIENT, RedisConnection } from './redis/redis-connection';
import { Extensions } from './extensions/extensions';
import { ActivityListener } from './events/activity-listener';
import { ledgerFeeds } from './ledgers/ledger-feed';
import { RecordingMetrics } from './recording/recording-metrics';
import { ActivityHealth } from './redis/activity-health';
import { METRICS_REGISTRY, SharedMetrics } from './observability/shared-metrics';
import { ACTIVITY_SETTINGS, type ActivitySettings } from './options/settings';
import { AppEvents } from './recording/app-events';
import { ProblemFilter } from './http/problem.filter';
import { FirstPages } from './ranks/first-pages';
import { Leaderboards } from './ranks/leaderboards';
import { PageAssembler } from './ranks/page-assembler';
import { Profiles } from './ranks/profiles';
import { RankService } from './ranks/rank.service';
import { PeriodicTasks } from './periodic/periodic-tasks';
import { Recorder } from './recording/recorder';
import { LedgerLaws, RulesInForce } from './rules/rules-in-force';
import { RuleBook } from './rules/rule-book';
import { SilentTraps } from './startup/silent-traps';
import { VisitInterceptor } from './visits/visit.interceptor';
import './openapi.generated';

/** The providers that Nest makes by itself and that apps and optional modules may inject. */
const exported = [
  ActivityHealth,
  ActivityService,
  ApiKey,
  AppEvents,
  Extensions,
  FirstPages,
  Leaderboards,
  PeriodicTasks,
  ProblemFilter,
  Profiles,
  RankService,
  RecordingMetrics,
  RedisConnection,
  SharedMetrics,
  VisibleBoards,
  VisitInterceptor,
];

/**
 * Turns users' activities into points on leaderboards: events, page visits and HTTP in, ranks out.
 * `ActivityModule.forRoot(options)` or `forRootAsync({ imports, inject, useFactory | useClass | useExisting })`.
 */
@Module({
  imports: [DiscoveryModule],
  providers: [
    {
      provide: METRICS_REGISTRY,
      inject: [ACTIVITY_SETTINGS],
      useFactory: ({ metricsRegistry }: ActivitySettings) => metricsRegistry,
    },
    {
      provide: RulesInForce,
      inject: [ACTIVITY_SETTINGS],
      useFactory: (settings: ActivitySettings) => {
        const { rules, limits } = settings;
        const feeds = ledgerFeeds(settings);
        const book = new RuleBook(rules, feeds, limits);
        const laws = feeds.map((_, ledger) => new LedgerLaws(ledger, book, (text) => bookIn(text, settings)));
        return new RulesInForce(book, laws);
      },
    },
    { provide: REDIS_CLIENT, inject: [RedisConnection], useFactory: ({ client }: RedisConnection) => client },
    {
      provide: Ledgers,
      inject: [RedisConnection, ACTIVITY_SETTINGS, Extensions, RulesInForce],
      useFactory: (
        connection: RedisConnection,
        settings: ActivitySettings,
        extensions: Extensions,
        { laws }: RulesInForce,
      ) => new Ledgers(connection, settings, laws, () => extensions.past?.settles ?? false),
    },
    {
      provide: Recorder,
      inject: [Ledgers, ACTIVITY_SETTINGS, SharedMetrics],
      useFactory: (ledgers: Ledgers, { maxPending, recordTimeoutMs }: ActivitySettings, metrics: SharedMetrics) => {
        const recorder = new Recorder(ledgers.all, { maxPending, timeoutMs: recordTimeoutMs });
        const help = 'Activities that wait for Redis.';
        metrics.gauge({ name: 'laurel_pending_activities', help }, () => recorder.pending);
        return recorder;
      },
    },
    ...exported,
    ActivityLifecycle,
    ActivityListener,
    LedgerUpkeep,
    PageAssembler,
    SilentTraps,
  ],
  exports: [...exported, ACTIVITY_SETTINGS, Ledgers, METRICS_REGISTRY, Recorder, REDIS_CLIENT, RulesInForce],
})
export class ActivityModule extends ConfigurableModuleClass {
  /**
   * The module with these options. A bad one stops the app's start.
   * @throws ActivityError `invalidOption` at the start, which names each bad option, its value and what is allowed.
   */
  static override forRoot(options: typeof OPTIONS_TYPE): DynamicModule {
    return super.forRoot(options);
  }

  /**
   * The module with the options that a factory or a class gives, from what it `inject`s: `useFactory`, `useClass`, …
   */
  static override forRootAsync(options: typeof ASYNC_OPTIONS_TYPE): DynamicModule {
    return super.forRootAsync(options);
  }
}
