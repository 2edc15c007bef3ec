import { type DynamicModule, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { EventEmitter2 } from '@nestjs/event-emitter';
import {
  type ASYNC_OPTIONS_TYPE,
  ConfigurableModuleClass,
  MODULE_OPTIONS_TOKEN,
  type OPTIONS_TYPE,
} from './activity.module-definition';
import type { ActivityModuleOptions } from './activity.options';
import { ActivityService } from './activity.service';
import { AdjustmentTrace } from './adjustments/adjustment-trace';
import { Adjustments } from './adjustments/adjustments';
import { ApiKey } from './api-key/api-key';
import { Viewer } from './api-key/viewer';
import { ActivityLifecycle } from './connection/activity-lifecycle';
import { createClient } from './connection/create-client';
import { PatientLedger } from './connection/patient-ledger';
import { LEDGER, REDIS_CLIENT, RedisConnection } from './connection/redis-connection';
import { RedisRefusals } from './connection/redis-refusals';
import { ShardsKeeper } from './connection/shards-keeper';
import { Erasures } from './erasure/erasures';
import { ActivityListener } from './events/activity-listener';
import { emitterProvider } from './events/emitter.provider';
import { DirectoryExclusions } from './exclusions/directory-exclusions';
import { Exclusions } from './exclusions/exclusions';
import { DaySummaries } from './history/day-summaries';
import { TaggedAnswers } from './http/tagged-answers';
import { ledgerFeeds, ledgerOptions } from './ledgers/ledger-feed';
import { LedgerWalk } from './ledgers/ledger-walk';
import { Ledgers } from './ledgers/ledgers';
import { StandingsWalk } from './ledgers/standings-walk';
import { LimitFaults } from './limits/limit-faults';
import { LimitQuotas } from './limits/limit-quotas';
import { OutcomeMinutes } from './operators/outcome-minutes';
import { SettlementState } from './operators/settlement-state';
import { ActivityHealth } from './operations/activity-health';
import { ActivityMetrics } from './operations/activity-metrics';
import { METRICS_REGISTRY } from './operations/metrics-registry';
import { SharedMetrics } from './operations/shared-metrics';
import { resolveOptions } from './options/resolve-options';
import { ACTIVITY_SETTINGS, type ActivitySettings } from './options/settings';
import { RecordedAnnouncer } from './observers/recorded-announcer';
import { OwnerGrants } from './owners/owner-grants';
import { ProblemFilter } from './problems/problem.filter';
import { FirstPages } from './ranks/first-pages';
import { Leaderboards } from './ranks/leaderboards';
import { LivePartitions } from './ranks/past/live-partitions';
import { LivePeriods } from './ranks/past/live-periods';
import { PastPeriods } from './ranks/past/past-periods';
import { PreviousRanks } from './ranks/past/previous-ranks';
import { Profiles } from './ranks/profiles';
import { RankPages } from './ranks/rank-pages';
import { RankService } from './ranks/rank.service';
import { StandingsFinder } from './ranks/standings/standings-finder';
import { StreamMetrics } from './ranks/stream/stream-metrics';
import { Streams } from './ranks/stream/streams';
import { CallsUnderWay } from './recording/calls-under-way';
import { Recorder, smallBatches } from './recording/recorder';
import { Recorders } from './recording/recorders';
import { PointsInQuestion } from './reviews/points-in-question';
import { Reviews } from './reviews/reviews';
import { RingReport } from './rings/ring-report';
import { ownRules, RulesInForce } from './rules/rules-in-force';
import { RulesEver } from './rules/rules-ever';
import { RulesKeeper } from './rules/rules-keeper';
import { ARCHIVE, archiveProvider } from './settlement/archive.provider';
import { schedulerProvider } from './settlement/scheduler.provider';
import { SettledListeners } from './settlement/settled-listeners';
import { SettlementMetrics } from './settlement/settlement-metrics';
import { SettlementService } from './settlement/settlement.service';
import { RuleSimulation } from './simulation/rule-simulation';
import { SilentTraps } from './startup/silent-traps';
import { FactsReader } from './titles/facts-reader';
import { LedgerReader } from './titles/ledger-reader';
import { TitleChain } from './titles/title-chain';
import { TitleFailures } from './titles/title-failures';
import { TitleRules } from './titles/title-rules';
import { Titles } from './titles/titles';
import { LedgerPages } from './transparency/ledger-page';
import { RefusalTrace } from './transparency/refusal-trace';
import { BoardAudits } from './verification/board-audits';
import { VisitInterceptor } from './visits/visit.interceptor';

/**
 * Turns users' activities into points on leaderboards: events, page visits and HTTP in, ranks out.
 * `ActivityModule.forRoot(options)` or `forRootAsync({ imports, inject, useFactory | useClass | useExisting })`.
 */
@Module({
  imports: [DiscoveryModule],
  providers: [
    {
      provide: ACTIVITY_SETTINGS,
      inject: [MODULE_OPTIONS_TOKEN],
      useFactory: (options: ActivityModuleOptions) => resolveOptions(options),
    },
    {
      provide: METRICS_REGISTRY,
      inject: [ACTIVITY_SETTINGS],
      useFactory: ({ metricsRegistry }: ActivitySettings) => metricsRegistry,
    },
    {
      provide: RulesInForce,
      inject: [ACTIVITY_SETTINGS],
      useFactory: (settings: ActivitySettings) => new RulesInForce(ownRules(settings)),
    },
    {
      provide: RedisConnection,
      inject: [ACTIVITY_SETTINGS, ActivityMetrics],
      useFactory: ({ redis, clock }: ActivitySettings, metrics: ActivityMetrics) =>
        new RedisConnection(createClient(redis), !('client' in redis), metrics, new RedisRefusals(metrics, clock)),
    },
    { provide: REDIS_CLIENT, inject: [RedisConnection], useFactory: ({ client }: RedisConnection) => client },
    {
      provide: Ledgers,
      inject: [RedisConnection, ACTIVITY_SETTINGS],
      useFactory: (connection: RedisConnection, settings: ActivitySettings) => {
        const fed = ledgerFeeds(settings).map((feed) => ({
          ledger: new PatientLedger(connection, ledgerOptions(settings, feed), settings.recordTimeoutMs),
          leaderboards: feed.leaderboards,
        }));
        return new Ledgers(
          connection.client,
          fed,
          settings.leaderboards.map(({ name }) => name),
        );
      },
    },
    { provide: LEDGER, inject: [Ledgers], useFactory: (ledgers: Ledgers) => ledgers.main },
    {
      provide: Recorders,
      inject: [Ledgers, ACTIVITY_SETTINGS, ActivityMetrics],
      useFactory: (ledgers: Ledgers, { maxPending, recordTimeoutMs }: ActivitySettings, metrics: ActivityMetrics) => {
        const options = { ...smallBatches, maxPending, timeoutMs: recordTimeoutMs };
        const recorders = new Recorders(ledgers.all.map((ledger) => new Recorder(ledger, options)));
        metrics.watchPending(() => recorders.pending);
        return recorders;
      },
    },
    archiveProvider,
    emitterProvider,
    schedulerProvider,
    ActivityHealth,
    ActivityLifecycle,
    ActivityListener,
    ActivityMetrics,
    ActivityService,
    AdjustmentTrace,
    Adjustments,
    ApiKey,
    BoardAudits,
    CallsUnderWay,
    DaySummaries,
    DirectoryExclusions,
    Erasures,
    Exclusions,
    FactsReader,
    FirstPages,
    Leaderboards,
    LedgerWalk,
    LimitFaults,
    LimitQuotas,
    LedgerPages,
    LedgerReader,
    LivePartitions,
    LivePeriods,
    OutcomeMinutes,
    OwnerGrants,
    PastPeriods,
    PointsInQuestion,
    PreviousRanks,
    ProblemFilter,
    Profiles,
    RankPages,
    RankService,
    RecordedAnnouncer,
    RefusalTrace,
    Reviews,
    RingReport,
    RuleSimulation,
    RulesEver,
    RulesKeeper,
    SettledListeners,
    SettlementMetrics,
    SettlementService,
    SettlementState,
    ShardsKeeper,
    SharedMetrics,
    SilentTraps,
    StandingsFinder,
    StandingsWalk,
    StreamMetrics,
    Streams,
    TaggedAnswers,
    TitleChain,
    TitleFailures,
    TitleRules,
    Titles,
    Viewer,
    VisitInterceptor,
  ],
  exports: [
    ACTIVITY_SETTINGS,
    ARCHIVE,
    ActivityHealth,
    ActivityMetrics,
    ActivityService,
    ApiKey,
    BoardAudits,
    Erasures,
    EventEmitter2,
    Exclusions,
    LEDGER,
    LedgerPages,
    Ledgers,
    LimitQuotas,
    METRICS_REGISTRY,
    ProblemFilter,
    REDIS_CLIENT,
    RankService,
    RefusalTrace,
    Reviews,
    RingReport,
    RuleSimulation,
    RulesInForce,
    RulesKeeper,
    SettlementService,
    StandingsWalk,
    VisitInterceptor,
  ],
})
export class ActivityModule extends ConfigurableModuleClass {
  /**
   * The module with these options. A bad one stops the app's start.
   * @throws ActivityError `invalidOption` at the start, which names each bad option, its value and what is allowed.
   */
  static override forRoot(options: typeof OPTIONS_TYPE): DynamicModule {
    return super.forRoot(options);
  }

  /** The module with the options that a factory or a class gives, from what it `inject`s: `useFactory`, `useClass`, … */
  static override forRootAsync(options: typeof ASYNC_OPTIONS_TYPE): DynamicModule {
    return super.forRootAsync(options);
  }
}
