import type { Ledger } from '@laurel/leaderboard';
import {
  Inject,
  Injectable,
  Optional,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { Extensions } from '../core/extensions/extensions';
import { PeriodicTasks } from '../core/periodic/periodic-tasks';
import { RedisConnection } from '../core/redis/redis-connection';
import { Ledgers } from '../core/ledgers/ledgers';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../core/options/settings';
import {
  type Retention,
  type SettledPeriod,
  STANDINGS_ARCHIVE,
  type StandingsArchive,
} from './archive/standings-archive';
import { Announcer } from './announcer';
import { archiveKindKey, settlingKey, titlingKey } from './settlement-progress';
import type { DuePeriod } from './period-archiver';
import { SettledListeners } from './settled-listeners';
import { holdSettling, type HoldOptions } from './hold-settling';
import { SettlementReport } from './settlement-report';
import { joined, Settler, type Archiving, type Settlement, type WaitingFor } from './settler';
import { SettledBoards } from './settled-boards';
import { SETTLEMENT_SETTINGS, type SettlementSettings } from './settlement.options';

/** How long the end of the app waits for what is under way: for listeners above all. */
const graceMs = 5_000;

/** How long an instance with title rules is waited for since it was last there. */
const titlingMs = 3_600_000;

/** The periods of one ledger that are due, and what came of archiving them. */
interface LedgerWork {
  readonly settler: Settler;
  readonly due: readonly DuePeriod[];
  archiving?: Archiving | undefined;
}

/** Looks for periods that are due on a timer, and settles them. Logs and counts errors; throws none. */
@Injectable()
export class SettlementService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly stop = new AbortController();
  private readonly giveUp = new AbortController();
  private readonly announcer: Announcer;
  /** The last look. */
  private looking: Promise<void> | undefined;
  /** Any number at a time: a listener that hangs keeps no other from hearing, and no period from being archived. */
  private readonly announcing = new Set<Promise<void>>();
  private isNoted = false;

  constructor(
    private readonly connection: RedisConnection,
    private readonly ledgers: Ledgers,
    listeners: SettledListeners,
    private readonly extensions: Extensions,
    private readonly report: SettlementReport,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
    @Inject(SETTLEMENT_SETTINGS) private readonly options: SettlementSettings,
    private readonly tasks: PeriodicTasks,
    @Optional() @Inject(STANDINGS_ARCHIVE) private readonly archive: StandingsArchive | null = null,
  ) {
    const { leaseMs, winners, everyMs: pauseMs, listenerTimeoutMs: timeoutMs, listeners: required } = options;
    this.announcer = new Announcer(connection.client, {
      ...{ prefix: settings.prefix, decimals: settings.decimals, leaseMs, winners, pauseMs, timeoutMs, required },
      listeners: () => listeners.own(),
      onFailure: (unheard) => this.report.unheard(unheard),
      stop: this.stop.signal,
      giveUp: this.giveUp.signal,
    });
  }

  /** Begins to look for periods that are due, unless another instance does. */
  onApplicationBootstrap(): void {
    const { settles, everyMs } = this.options;
    if (!settles) return;
    this.tasks.task('settlement', () => this.look()).every(everyMs);
    // At once: another instance may look before this one does for the first time.
    if (this.connection.isReady) this.track(this.guarded(() => this.register()));
  }

  /**
   * Stops between two pages; another instance continues at once. Running listeners have five seconds; another instance
   * calls those again that have not ended by then.
   */
  async beforeApplicationShutdown(): Promise<void> {
    this.stop.abort();
    const underWay = Promise.all([this.looking, ...this.announcing]);
    await Promise.race([underWay, delay(graceMs, undefined, { ref: false })]);
    this.giveUp.abort();
    await Promise.race([underWay, delay(graceMs / 5, undefined, { ref: false })]);
  }

  /**
   * Settles the due periods that are wanted, and announces them to this instance's listeners. Null: another instance
   * archives, or has the title rules that this one lacks.
   * @param options `announces: false` leaves the announcements to an instance that has listeners.
   */
  async settleDue(
    wanted?: (due: DuePeriod) => boolean,
    { announces = true }: { readonly announces?: boolean } = {},
  ): Promise<Settlement | null> {
    if (await this.leavesTitles()) return null;
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
   * Stops waiting for a listener that the app no longer has. False: there is no listener of this name. An instance that
   * still has it adds it again when it starts. One round trip.
   */
  retireListener(name: string): Promise<boolean> {
    return this.announcer.retire(name);
  }

  /**
   * Does some work while no instance settles, such as writing periods of years ago. Waits for a running settlement,
   * then blocks others until five minutes after the last successful renewal.
   * @param work is given a signal that is aborted when others can no longer be blocked: it must stop then.
   * @throws ActivityError `unavailable` if another instance does not finish within `patienceMs` (default ten minutes),
   * if the wait is aborted, or if others could no longer be blocked while the work was done.
   */
  whileNobodySettles<T>(work: (lost: AbortSignal) => Promise<T>, options: HoldOptions = {}): Promise<T> {
    const keys = this.ledgers.all.map(({ settings }) => settlingKey(settings.prefix));
    return holdSettling(this.connection.client, keys, work, options);
  }

  /** The leaderboards there are. */
  get leaderboards(): readonly string[] {
    return this.settings.leaderboards.map(({ name }) => name);
  }

  /** Whether the instances that settle here use another archive than this process. One round trip. */
  async archivesElsewhere(): Promise<boolean> {
    const noted = await this.connection.client.get(archiveKindKey(this.settings.prefix));
    return noted !== null && noted !== this.archiveKind;
  }

  /**
   * Whether this process leaves periods to an instance that settled here within the last hour and has title rules, as
   * it has none. One round trip.
   */
  async leavesTitles(): Promise<boolean> {
    if (this.extensions.titles?.hasRules) return false;
    return (await this.connection.client.exists(titlingKey(this.settings.prefix))) === 1;
  }

  /**
   * Drops settled periods that are past their `archiveRetentionMs`, and returns them; a dry run only returns them.
   * Null: the app's archive cannot drop periods.
   */
  async prune(options: { readonly isDryRun: boolean }): Promise<readonly SettledPeriod[] | null> {
    if (this.archive) return (await this.archive.prune?.(options)) ?? null;
    const pruned: SettledPeriod[] = [];
    for (const ledger of this.ledgers.all) {
      pruned.push(...(await new SettledBoards(this.connection.client, ledger).prune(this.retention, options)));
    }
    return pruned;
  }

  /** The periods due now, the longest first. One round trip a leaderboard. */
  async due(): Promise<DuePeriod[]> {
    const found = await Promise.all(this.settlers(false).map((settler) => settler.due()));
    return found.flat().sort((a, b) => a.closedAtMs - b.closedAtMs);
  }

  private async look(): Promise<void> {
    if (!this.stop.signal.aborted) await (this.looking = this.guarded(() => this.settleInBackground()));
  }

  /** Archives what is due, and begins to announce it. */
  private async settleInBackground(): Promise<void> {
    await this.noteArchive();
    await this.register();
    const work = await Promise.all(
      this.settlers(true).map(async (settler): Promise<LedgerWork> => ({ settler, due: await settler.due() })),
    );
    this.report.due(
      work.flatMap(({ due }) => due),
      this.settings.clock.now(),
    );
    if (work.every(({ due }) => due.length === 0)) return;
    const leaves = await this.leavesTitles();
    for (const one of leaves ? [] : work) {
      one.archiving = (await one.settler.archive(one.due)) ?? undefined;
      if (one.archiving) this.report.archiving(one.archiving);
    }
    this.track(this.guarded(() => this.announce(work)));
  }

  /** Says in Redis which listeners are here, and that there are title rules, if there are. */
  private async register(): Promise<void> {
    await this.announcer.register();
    if (!this.extensions.titles?.hasRules) return;
    await this.connection.client.set(titlingKey(this.settings.prefix), '', 'PX', titlingMs);
  }

  /** The end of the app waits for it. */
  private track(work: Promise<void>): void {
    const tracked = work.finally(() => this.announcing.delete(tracked));
    this.announcing.add(tracked);
  }

  private async announce(work: readonly LedgerWork[]): Promise<void> {
    const waiting: WaitingFor[] = [];
    const left: DuePeriod[] = [];
    for (const { settler, due, archiving } of work) {
      const announced = await settler.announce(due, archiving?.parts);
      this.report.failures(announced.failed);
      waiting.push(...announced.waiting);
      left.push(...due.filter((one) => !announced.done.has(one) && !archiving?.missed.includes(one)));
    }
    this.report.announcing(waiting);
    this.report.due(left, this.settings.clock.now());
  }

  private async guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.report.looked();
    } catch (error) {
      this.report.looked(error);
    }
  }

  /** Says in Redis where standings are archived: operators' commands must not archive them elsewhere. */
  private async noteArchive(): Promise<void> {
    if (this.isNoted) return;
    await this.connection.client.set(archiveKindKey(this.settings.prefix), this.archiveKind);
    this.isNoted = true;
  }

  private get archiveKind(): string {
    return this.archive ? 'app' : 'redis';
  }

  private get retention(): Retention {
    return this.options.archiveRetentionMs === undefined ? 'default' : this.options.archiveRetentionMs;
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
      leaseMs: this.options.leaseMs,
      rulesVersion: () => ledger.terms.version(),
      retention: this.retention,
      settles: (board) => settled.has(board),
      signal: this.stop.signal,
      announcer: announces ? this.announcer : null,
      titles: ({ leaderboard: name, period }, partition) => {
        const boards = this.ledgers.boards(name);
        const leaderboard = partition === null ? boards : boards.part(partition);
        return this.extensions.titles?.settle({ leaderboard, period }) ?? null;
      },
    });
  }
}
