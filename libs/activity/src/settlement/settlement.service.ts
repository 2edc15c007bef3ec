import type { Ledger } from '@laurel/leaderboard';
import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { EventEmitter2 } from '@nestjs/event-emitter';
import { SchedulerRegistry } from '@nestjs/schedule';
import { setTimeout as delay } from 'node:timers/promises';
import { RedisConnection } from '../connection/redis-connection';
import { faultCode } from '../connection/redis-faults';
import { Ledgers } from '../ledgers/ledgers';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../options/settings';
import { ARCHIVE } from './archive.provider';
import { archiveKeys } from './redis/archive-keys';
import { RedisArchive } from './redis/redis-archive';
import { LeaderboardSettledEvent } from './leaderboard-settled.event';
import { Lease, settlingKey } from './lease';
import { SettlementMetrics } from './settlement-metrics';
import { Settler, type DuePeriod, type Settlement } from './settler';
import type { StandingsArchive } from './standings-archive';

/** How often who waits for another instance's settling asks whether it is over. */
const waitMs = 100;

/** Looks for finished periods on a timer, and settles them. Its errors are logged and counted, and stay here. */
@Injectable()
export class SettlementService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(SettlementService.name);
  private readonly job: string;
  private readonly stop = new AbortController();
  private underWay: Promise<void> | undefined;
  private lastFault = '';
  private isNoted = false;

  constructor(
    private readonly connection: RedisConnection,
    private readonly ledgers: Ledgers,
    private readonly emitter: EventEmitter2,
    private readonly scheduler: SchedulerRegistry,
    private readonly metrics: SettlementMetrics,
    @Inject(ARCHIVE) private readonly archive: StandingsArchive,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
  ) {
    this.job = `laurel-settlement-${settings.prefix}`;
  }

  /** Begins to look for periods that are due, unless settlement is off. */
  onApplicationBootstrap(): void {
    const { isOn, everyMs } = this.settings.settlement;
    if (!isOn) return;
    const timer = setInterval(() => this.look(), everyMs);
    timer.unref();
    this.scheduler.addInterval(this.job, timer);
  }

  /** Stops what is under way, between two pages: another instance goes on with it, at once. */
  async beforeApplicationShutdown(): Promise<void> {
    if (this.scheduler.doesExist('interval', this.job)) this.scheduler.deleteInterval(this.job);
    this.stop.abort();
    await this.underWay;
  }

  /**
   * Settles what is due now, and of that what is wanted. Null: another instance is at it.
   * @param options `announces: false` leaves the announcements to an instance that has listeners.
   */
  async settleDue(
    wanted?: (due: DuePeriod) => boolean,
    { announces = true }: { readonly announces?: boolean } = {},
  ): Promise<Settlement | null> {
    const ofLedgers: (Settlement | null)[] = [];
    for (const settler of this.settlers(announces)) ofLedgers.push(await settler.settleDue(wanted));
    const done = joined(ofLedgers);
    for (const { leaderboard, period, total } of done?.settled ?? []) {
      // The parts of a leaderboard are without number: they are counted together.
      this.metrics.countSettled(leaderboard.split('/', 1).join());
      this.logger.log(`Settled ${leaderboard} ${period}: ${total} entries.`);
    }
    for (const { leaderboard, period } of done?.missed ?? []) {
      this.metrics.countMissed(leaderboard);
      this.logger.error(`${leaderboard} ${period.key} had expired before it could be settled: keep boards for longer.`);
    }
    for (const { due, error } of done?.failed ?? []) {
      this.metrics.countFailure(due.leaderboard);
      this.logger.error(`Settling ${due.leaderboard} ${due.period.key} failed and is tried again: ${faultCode(error)}`);
    }
    return done;
  }

  /**
   * Does some work while no instance settles, such as writing periods of years ago: it waits for who is at it, and keeps
   * the others out by the same lease.
   * @param options `signal` ends the waiting.
   */
  async whileNobodySettles<T>(work: () => Promise<T>, options: { readonly signal?: AbortSignal } = {}): Promise<T> {
    const { prefix, settlement } = this.settings;
    let lease: Lease | null;
    while (!(lease = await Lease.take(this.connection.client, settlingKey(prefix), settlement.leaseMs))) {
      await delay(waitMs);
      options.signal?.throwIfAborted();
    }
    try {
      return await work();
    } finally {
      await lease.release();
    }
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

  /** A look at a time: a long one is not joined by the next. */
  private look(): void {
    if (this.underWay || !this.connection.isReady) return;
    this.underWay = this.lookOnce().finally(() => {
      this.underWay = undefined;
    });
  }

  private async lookOnce(): Promise<void> {
    try {
      await this.noteArchive();
      const before = await this.due();
      const isSettled = before.length > 0 && (await this.settleDue()) !== null;
      const [oldest] = isSettled ? await this.due() : before;
      this.metrics.setLag(oldest ? Math.max(0, this.settings.clock.now() - oldest.closedAtMs) / 1_000 : 0);
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
    const { leaseMs, winners } = this.settings.settlement;
    // Neither the days that rolling windows are made from, nor tallies.
    const leaderboards = this.settings.leaderboards.filter(({ rolling }) => rolling === null);
    const settled = new Set(leaderboards.map(({ name }) => name));
    return new Settler(ledger, this.connection.client, this.archive, {
      leaseMs,
      winners,
      rulesVersion: () => ledger.version(),
      settles: (board) => settled.has(board),
      signal: this.stop.signal,
      announce: announces ? (event) => this.emitter.emitAsync(LeaderboardSettledEvent.eventName, event) : null,
    });
  }
}

/** What was done on all ledgers; null where another instance is at any of them. */
function joined(ofLedgers: readonly (Settlement | null)[]): Settlement | null {
  const done = ofLedgers.filter((one) => one !== null);
  if (done.length < ofLedgers.length) return null;
  return {
    settled: done.flatMap(({ settled }) => settled),
    failed: done.flatMap(({ failed }) => failed),
    missed: done.flatMap(({ missed }) => missed),
  };
}
