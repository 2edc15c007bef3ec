import type { Ledger } from '@laurel/leaderboard';
import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { setTimeout as delay } from 'node:timers/promises';
import { RedisConnection } from '../redis/redis-connection';
import { faultCode } from '../redis/redis-faults';
import { Ledgers } from '../ledgers/ledgers';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../options/settings';
import { ARCHIVE } from './archive/archive.provider';
import { archiveKeys } from './archive/redis/archive-keys';
import { RedisArchive } from './archive/redis/redis-archive';
import { Announcer } from './announcer';
import { settlingKey } from './lease';
import type { DuePeriod } from './period-archiver';
import { SettledListeners } from './settled-listeners';
import { holdSettling, type HoldOptions } from './hold-settling';
import { SettlementMetrics } from './settlement-metrics';
import { SettlementReport } from './settlement-report';
import { joined, Settler, type Settlement, type WaitingFor } from './settler';
import type { StandingsArchive } from './archive/standings-archive';

/** How long the end of the app waits for what is under way: for listeners above all. */
const graceMs = 5_000;

/** Looks for finished periods on a timer, and settles them. Its errors are logged and counted, and stay here. */
@Injectable()
export class SettlementService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(SettlementService.name);
  private readonly job: string;
  private readonly stop = new AbortController();
  private readonly giveUp = new AbortController();
  private readonly announcer: Announcer;
  /** One at a time. */
  private looking: Promise<void> | undefined;
  /** Any number at a time: a listener that hangs keeps no other from hearing, and no period from being archived. */
  private readonly announcing = new Set<Promise<void>>();
  private lastFault = '';
  private isNoted = false;
  private readonly report: SettlementReport;

  constructor(
    private readonly connection: RedisConnection,
    private readonly ledgers: Ledgers,
    listeners: SettledListeners,
    private readonly scheduler: SchedulerRegistry,
    private readonly metrics: SettlementMetrics,
    @Inject(ARCHIVE) private readonly archive: StandingsArchive,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
  ) {
    this.job = `laurel-settlement-${settings.prefix}`;
    this.report = new SettlementReport(this.logger, metrics);
    const { leaseMs, winners, everyMs: pauseMs, listenerTimeoutMs: timeoutMs } = settings.settlement;
    this.announcer = new Announcer(connection.client, archive, {
      ...{ prefix: settings.prefix, leaseMs, winners, pauseMs, timeoutMs, required: settings.settlement.listeners },
      listeners: () => listeners.own(),
      onFailure: (unheard) => this.report.unheard(unheard),
      stop: this.stop.signal,
      giveUp: this.giveUp.signal,
    });
  }

  /** Begins to look for periods that are due, unless settlement is off. */
  onApplicationBootstrap(): void {
    const { isOn, everyMs } = this.settings.settlement;
    if (!isOn) return;
    const timer = setInterval(() => this.look(), everyMs);
    timer.unref();
    this.scheduler.addInterval(this.job, timer);
    // At once: another instance may look before this one does for the first time.
    if (this.connection.isReady) this.track(this.guarded(async () => void (await this.announcer.register())));
  }

  /**
   * Stops what is under way, between two pages: another instance goes on with it, at once. Listeners that are at work have
   * five seconds; who has not ended by then is told again, by another instance.
   */
  async beforeApplicationShutdown(): Promise<void> {
    if (this.scheduler.doesExist('interval', this.job)) this.scheduler.deleteInterval(this.job);
    this.stop.abort();
    const underWay = Promise.all([this.looking, ...this.announcing]);
    await Promise.race([underWay, delay(graceMs, undefined, { ref: false })]);
    this.giveUp.abort();
    await Promise.race([underWay, delay(graceMs / 5, undefined, { ref: false })]);
  }

  /**
   * Settles what is due now, and of that what is wanted, and announces it to the listeners that are here. Null: another
   * instance archives.
   * @param options `announces: false` leaves the announcements to an instance that has listeners.
   */
  async settleDue(
    wanted?: (due: DuePeriod) => boolean,
    { announces = true }: { readonly announces?: boolean } = {},
  ): Promise<Settlement | null> {
    const ofLedgers: (Settlement | null)[] = [];
    for (const settler of this.settlers(announces)) {
      const done = await settler.settleDue(wanted);
      if (done) this.report.archiving(done);
      ofLedgers.push(done);
    }
    const done = ofLedgers.filter((one) => one !== null);
    if (done.length < ofLedgers.length) return null;
    const settlement = joined(done);
    if (announces) this.report.announcing(settlement.waiting);
    return settlement;
  }

  /** The names of the listeners that must acknowledge each settled period. One round trip. */
  requiredListeners(): Promise<readonly string[]> {
    return this.announcer.required();
  }

  /**
   * Waits for a listener no more, and for what it has not acknowledged: for one that the app no longer has. False: there is
   * none of this name. An instance that still has it names it again when it starts. One round trip.
   */
  retireListener(name: string): Promise<boolean> {
    return this.announcer.retire(name);
  }

  /**
   * Does some work while no instance settles, such as writing periods of years ago: it waits for who is at it, and keeps
   * the others out for five minutes longer than Redis last answered.
   * @param work is given a signal that is aborted where the others can no longer be kept out: it must stop then.
   * @throws ActivityError `unavailable` where another instance does not come to an end within `patienceMs` (default ten
   * minutes), where the wait is aborted, and where the others could no longer be kept out while the work was done.
   */
  whileNobodySettles<T>(work: (lost: AbortSignal) => Promise<T>, options: HoldOptions = {}): Promise<T> {
    const keys = this.ledgers.all.map(({ settings }) => settlingKey(settings.prefix));
    return holdSettling(this.connection.client, keys, work, options);
  }

  /** The leaderboards there are. */
  get leaderboards(): readonly string[] {
    return this.settings.leaderboards.map(({ name }) => name);
  }

  /** Whether the instances that settle here archive elsewhere than this process would. One round trip. */
  async archivesElsewhere(): Promise<boolean> {
    const noted = await this.connection.client.get(archiveKeys.kind(this.settings.prefix));
    return noted !== null && noted !== this.archiveKind;
  }

  /** What is due now, the longest first. One round trip a leaderboard. */
  async due(): Promise<DuePeriod[]> {
    const found = await Promise.all(this.settlers(false).map((settler) => settler.due()));
    return found.flat().sort((a, b) => a.closedAtMs - b.closedAtMs);
  }

  private look(): void {
    if (!this.connection.isReady) return;
    this.looking ??= this.guarded(() => this.archiveDue()).finally(() => (this.looking = undefined));
  }

  /** Archives what is due, and begins to announce it. */
  private async archiveDue(): Promise<void> {
    await this.noteArchive();
    await this.announcer.register();
    const due = await this.due();
    this.setLag(due);
    if (due.length === 0) return;
    for (const settler of this.settlers(true)) {
      const archiving = await settler.archiveDue();
      if (archiving) this.report.archiving(archiving);
    }
    this.track(this.guarded(() => this.announceDue()));
  }

  /** The end of the app waits for it. */
  private track(work: Promise<void>): void {
    const tracked = work.finally(() => this.announcing.delete(tracked));
    this.announcing.add(tracked);
  }

  private async announceDue(): Promise<void> {
    const waiting: WaitingFor[] = [];
    for (const settler of this.settlers(true)) {
      const announcing = await settler.announceDue();
      this.report.failures(announcing.failed);
      waiting.push(...announcing.waiting);
    }
    this.report.announcing(waiting);
    this.setLag(await this.due());
  }

  private setLag([oldest]: readonly DuePeriod[]): void {
    this.metrics.setLag(oldest ? Math.max(0, this.settings.clock.now() - oldest.closedAtMs) / 1_000 : 0);
  }

  private async guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.lastFault = '';
    } catch (error) {
      this.metrics.countFailure('none');
      // While Redis is away each look fails: the first is worth a line.
      const fault = faultCode(error);
      if (fault !== this.lastFault) this.logger.error(`Looking for periods to settle failed: ${fault}`);
      this.lastFault = fault;
    }
  }

  /** Says in Redis where standings are archived: operators' commands must not archive them elsewhere. */
  private async noteArchive(): Promise<void> {
    if (this.isNoted) return;
    await this.connection.client.set(archiveKeys.kind(this.settings.prefix), this.archiveKind);
    this.isNoted = true;
  }

  private get archiveKind(): string {
    return this.archive instanceof RedisArchive ? 'redis' : 'app';
  }

  /** One for each ledger. */
  private settlers(announces: boolean): Settler[] {
    return this.ledgers.all.map((ledger) => this.settlerOf(ledger, announces));
  }

  private settlerOf(ledger: Ledger, announces: boolean): Settler {
    // Neither the days that rolling windows are made from, nor tallies.
    const leaderboards = this.settings.leaderboards.filter(({ rolling }) => rolling === null);
    const settled = new Set(leaderboards.map(({ name }) => name));
    return new Settler(ledger, this.connection.client, this.archive, {
      leaseMs: this.settings.settlement.leaseMs,
      rulesVersion: () => ledger.version(),
      settles: (board) => settled.has(board),
      signal: this.stop.signal,
      announcer: announces ? this.announcer : null,
    });
  }
}
