import { Ledger, type LedgerOptions } from '@laurel/leaderboard';
import { Module } from '@nestjs/common';
import { EventEmitter2 } from '@nestjs/event-emitter';
import { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } from './activity.module-definition';
import type { ActivityModuleOptions } from './activity.options';
import { ActivityService } from './activity.service';
import { ApiKey } from './api-key/api-key';
import { ActivityLifecycle } from './connection/activity-lifecycle';
import { createClient } from './connection/create-client';
import { PatientLedger } from './connection/patient-ledger';
import { LEDGER, RedisConnection } from './connection/redis-connection';
import { ActivityListener } from './events/activity-listener';
import { emitterProvider } from './events/emitter.provider';
import { RecordedAnnouncer } from './events/recorded-announcer';
import { ActivityHealth } from './operations/activity-health';
import { ActivityMetrics } from './operations/activity-metrics';
import { METRICS_REGISTRY } from './operations/metrics-registry';
import { resolveOptions } from './options/resolve-options';
import { ACTIVITY_SETTINGS, type ActivitySettings } from './options/settings';
import { ProblemFilter } from './problems/problem.filter';
import { Leaderboards } from './ranks/leaderboards';
import { LivePeriods } from './ranks/past/live-periods';
import { PastPeriods } from './ranks/past/past-periods';
import { PreviousRanks } from './ranks/past/previous-ranks';
import { Profiles } from './ranks/profiles';
import { RankService } from './ranks/rank.service';
import { StandingsFinder } from './ranks/standings/standings-finder';
import { Recorder, smallBatches } from './recording/recorder';
import { RuleBook } from './rules/rule-book';
import { rulesText } from './rules/rules-text';
import { ARCHIVE, archiveProvider } from './settlement/archive.provider';
import { schedulerProvider } from './settlement/scheduler.provider';
import { SettlementMetrics } from './settlement/settlement-metrics';
import { SettlementService } from './settlement/settlement.service';
import { RuleSimulation } from './simulation/rule-simulation';
import { VisitInterceptor } from './visits/visit.interceptor';

/**
 * Turns users' activities into points on leaderboards: events, page visits and HTTP in, ranks out.
 * `ActivityModule.forRoot(options)` or `forRootAsync({ imports, inject, useFactory | useClass | useExisting })`.
 */
@Module({
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
      provide: RuleBook,
      inject: [ACTIVITY_SETTINGS],
      useFactory: ({ rules, leaderboards, limits }: ActivitySettings) => new RuleBook(rules, leaderboards, limits),
    },
    {
      provide: RedisConnection,
      inject: [ACTIVITY_SETTINGS, ActivityMetrics],
      useFactory: ({ redis }: ActivitySettings, metrics: ActivityMetrics) =>
        new RedisConnection(createClient(redis), !('client' in redis), metrics),
    },
    {
      provide: LEDGER,
      inject: [RedisConnection, ACTIVITY_SETTINGS],
      useFactory: (connection: RedisConnection, settings: ActivitySettings) =>
        new PatientLedger(connection, ledgerOptions(settings), settings.recordTimeoutMs),
    },
    {
      provide: Recorder,
      inject: [LEDGER, ACTIVITY_SETTINGS, ActivityMetrics],
      useFactory: (ledger: Ledger, { maxPending, recordTimeoutMs }: ActivitySettings, metrics: ActivityMetrics) => {
        const recorder = new Recorder(ledger, { ...smallBatches, maxPending, timeoutMs: recordTimeoutMs });
        metrics.watchPending(() => recorder.pending);
        return recorder;
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
    ApiKey,
    Leaderboards,
    LivePeriods,
    PastPeriods,
    PreviousRanks,
    ProblemFilter,
    Profiles,
    RankService,
    RecordedAnnouncer,
    RuleSimulation,
    SettlementMetrics,
    SettlementService,
    StandingsFinder,
    VisitInterceptor,
  ],
  exports: [
    ACTIVITY_SETTINGS,
    ARCHIVE,
    ActivityHealth,
    ActivityMetrics,
    ActivityService,
    ApiKey,
    EventEmitter2,
    LEDGER,
    METRICS_REGISTRY,
    ProblemFilter,
    RankService,
    RuleBook,
    RuleSimulation,
    SettlementService,
    VisitInterceptor,
  ],
})
export class ActivityModule extends ConfigurableModuleClass {}

function ledgerOptions(settings: ActivitySettings): LedgerOptions {
  const { prefix, shards, timezone, leaderboards, ledgerRetentionMs, clockSkewMs, clock } = settings;
  const terms = rulesText(settings.rules);
  const freezes = settings.settlement.isOn;
  return { prefix, shards, timezone, boards: leaderboards, ledgerRetentionMs, clockSkewMs, clock, terms, freezes };
}
