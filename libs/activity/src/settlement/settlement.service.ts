import {
  Inject,
  Injectable,
  Optional,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { Extensions } from '../core/extensions/extensions';
import { Ledgers } from '../core/ledgers/ledgers';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../core/options/settings';
import { PeriodicTasks } from '../core/periodic/periodic-tasks';
import { RedisConnection } from '../core/redis/redis-connection';
import { inTime, type SettledPeriod, STANDINGS_ARCHIVE, type StandingsArchive } from './archive/standings-archive';
import { holdSettling, type HoldOptions } from './hold-settling';
import type { DuePeriod } from './part-standings';
import { SettledBoards } from './settled-boards';
import { SettledListeners } from './settled-listeners';
import { SettlementReport } from './settlement-report';
import { SETTLEMENT_SETTINGS, type SettlementSettings } from './settlement.options';
import { type Settlement, Settler, settlingKeys } from './settler';

/** How long the end of the app waits for what is under way: for listeners above all. */
const graceMs = 5_000;

/** How long an instance with title rules is waited for since it was last there. */
const titlingMs = 3_600_000;

/**
 * While the key exists, an instance with title rules settles periods: those without rules leave periods to it.
 * @redis string
 * @expires an hour after such an instance last looked
 */
const titlingKey = (prefix: string): string => `{${prefix}}:titling`;

/**
 * Whether settled standings are boards in Redis (`redis`) or in an archive of the app's (`app`).
 * @redis string
 * @expires never
 */
export const archiveKindKey = (prefix: string): string => `{${prefix}}:archive:kind`;

/** Looks for periods that are due on a timer, and settles them. Logs and counts errors; throws none. */
@Injectable()
export class SettlementService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly stop = new AbortController();
  private readonly giveUp = new AbortController();
  private readonly settler: Settler;
  /** Any number at a time: a listener that hangs keeps no other from hearing, and no period from being archived. */
  private readonly underWay = new Set<Promise<void>>();

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
    this.settler = new Settler(ledgers.all, connection.client, archive && inTime(archive, 2 * options.leaseMs), {
      ...{ ...options, decimals: settings.decimals, retention: options.archiveRetentionMs },
      own: () => listeners.own(),
      onFailure: (failure) => this.report.unheard(failure),
      // Neither the days that rolling windows are made from, nor tallies.
      settles: (board) => settings.leaderboards.some(({ name, rolling }) => name === board && rolling === null),
      titles: ({ leaderboard: name, period, partition }) => {
        const boards = this.ledgers.boards(name);
        const leaderboard = partition === null ? boards : boards.part(partition);
        return this.extensions.titles?.settle({ leaderboard, period }) ?? null;
      },
      stop: this.stop.signal,
      giveUp: this.giveUp.signal,
    });
  }

  /** Begins to look for periods that are due, unless another instance does. */
  onApplicationBootstrap(): void {
    const { settles, everyMs } = this.options;
    if (!settles) return;
    this.tasks.task('settlement', () => this.guarded(() => this.look())).every(everyMs);
    // At once: another instance may look before this one does for the first time.
    if (this.connection.isReady) void this.guarded(() => this.register());
  }

  /**
   * Stops between two pages; another instance continues at once. Running listeners have five seconds; another instance
   * calls those again that have not ended by then.
   */
  async beforeApplicationShutdown(): Promise<void> {
    this.stop.abort();
    // A look that ends begins to announce.
    const ending = (async () => {
      while (this.underWay.size > 0) await Promise.all(this.underWay);
    })();
    await Promise.race([ending, delay(graceMs, undefined, { ref: false })]);
    this.giveUp.abort();
    await Promise.race([ending, delay(graceMs / 5, undefined, { ref: false })]);
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
    const done = await this.settler.settleDue(wanted, announces);
    if (!done) return null;
    this.report.archived(done);
    if (announces) this.report.waitingFor(done.waiting);
    return done;
  }

  /** The names of the listeners that must acknowledge each settled period. One round trip. */
  requiredListeners(): Promise<readonly string[]> {
    return this.settler.requiredListeners();
  }

  /**
   * Stops waiting for a listener that the app no longer has. False: there is no listener of this name. An instance that
   * still has it adds it again at its next look. One round trip.
   */
  async retireListener(name: string): Promise<boolean> {
    return (await this.connection.client.srem(settlingKeys.listeners(this.settings.prefix), name)) === 1;
  }

  /**
   * Does some work while no instance settles, such as writing periods of years ago. Waits for a running settlement,
   * then blocks others until five minutes after the last successful renewal.
   * @param work is given a signal that is aborted when others can no longer be blocked: it must stop then.
   * @throws ActivityError `unavailable` if another instance does not finish within `patienceMs` (default ten minutes),
   * if the wait is aborted, or if others could no longer be blocked while the work was done.
   */
  whileNobodySettles<T>(work: (lost: AbortSignal) => Promise<T>, options: HoldOptions = {}): Promise<T> {
    return holdSettling(this.connection.client, settlingKeys.settling(this.settings.prefix), work, options);
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
      const boards = new SettledBoards(this.connection.client, ledger);
      pruned.push(...(await boards.prune(this.options.archiveRetentionMs, options)));
    }
    return pruned;
  }

  /** The periods due now, the longest first. One round trip a leaderboard. */
  due(): Promise<DuePeriod[]> {
    return this.settler.due();
  }

  /** Archives what is due, and begins to announce it. */
  private async look(): Promise<void> {
    if (this.stop.signal.aborted) return;
    // Operators' commands must not archive standings elsewhere.
    await this.connection.client.set(archiveKindKey(this.settings.prefix), this.archiveKind);
    await this.register();
    const due = await this.due();
    this.report.due(due, this.settings.clock.now());
    const archiving = due.length === 0 || (await this.leavesTitles()) ? null : await this.settler.settle(due);
    if (archiving) this.report.archived(archiving);
    void this.guarded(async () => {
      const { failed, waiting } = await this.settler.announce(due);
      this.report.failed(failed);
      this.report.waitingFor(waiting);
    });
  }

  /** Says in Redis which listeners are here, and that there are title rules, if there are. */
  private async register(): Promise<void> {
    await this.settler.register();
    if (!this.extensions.titles?.hasRules) return;
    await this.connection.client.set(titlingKey(this.settings.prefix), '', 'PX', titlingMs);
  }

  /** Does work for which the end of the app waits, and reports whether it failed. */
  private async guarded(work: () => Promise<void>): Promise<void> {
    const guarded = work()
      .catch((error: unknown) => error)
      .then((error) => this.report.looked(error));
    this.underWay.add(guarded);
    await guarded;
    this.underWay.delete(guarded);
  }

  private get archiveKind(): string {
    return this.archive ? 'app' : 'redis';
  }
}
