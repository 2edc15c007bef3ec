import type { Ledger, RedisClient } from '@laurel/leaderboard';
import type { Announcer } from './announcer';
import { Lease, LeaseLostError } from '../core/redis/lease';
import { settlingKey } from './settlement-progress';
import { PeriodArchiver, StoppedError, type DuePeriod, type PeriodArchiverOptions } from './period-archiver';
import type { SettledPeriod, StandingsArchive } from './archive/standings-archive';

/** How a {@link Settler} settles. */
export interface SettlerOptions extends PeriodArchiverOptions {
  /** After how long another instance takes over from one that died. */
  readonly leaseMs: number;
  /** Announces to the app; null leaves that to an instance that has listeners. */
  readonly announcer: Announcer | null;
  /** Whether a board of the ledger is settled: the day boards of rolling windows are not. Default: all. */
  readonly settles?: (board: string) => boolean;
}

/** The outcomes of due periods. */
export interface Settlement {
  /**
   * The archived periods that were archived, or acknowledged by all listeners, now; all due ones where nothing is
   * announced.
   */
  readonly settled: readonly SettledPeriod[];
  /** Those of them that were archived now. */
  readonly archived: readonly SettledPeriod[];
  /** They stay due. */
  readonly failed: readonly FailedPeriod[];
  /** Periods whose boards had expired before they were settled. */
  readonly missed: readonly DuePeriod[];
  /** Archived periods that stay due until these listeners have acknowledged them. */
  readonly waiting: readonly WaitingFor[];
}

/** A period that was not settled. */
export interface FailedPeriod {
  readonly due: DuePeriod;
  readonly error: unknown;
}

/** An archived period, and the listeners that have not acknowledged it. */
export interface WaitingFor {
  readonly due: DuePeriod;
  readonly listeners: readonly string[];
}

/** The result of archiving. */
export interface Archiving extends Pick<Settlement, 'archived' | 'failed' | 'missed'> {
  /** All parts of the periods whose parts were looked up. */
  readonly parts: ReadonlyMap<DuePeriod, readonly SettledPeriod[]>;
}

/** The result of announcing. */
export interface Announcing extends Pick<Settlement, 'failed' | 'waiting'> {
  /** The periods that all listeners have acknowledged now, and their parts. */
  readonly done: ReadonlyMap<DuePeriod, readonly SettledPeriod[]>;
}

/** Periods that are announced at once. */
const announcedAtOnce = 16;

/**
 * Settles the periods of one ledger's boards: freezes them, makes their standings final and announces them. Each step
 * is safe to repeat, so any instance goes on where another died. A lease lets one instance settle at a time; that a
 * period is settled once does not depend on it: the first draft of a period is accepted, and acknowledgements are
 * stored.
 */
export class Settler {
  private readonly archiver: PeriodArchiver;

  constructor(
    private readonly ledger: Ledger,
    private readonly redis: RedisClient,
    archive: StandingsArchive | null,
    private readonly options: SettlerOptions,
  ) {
    this.archiver = new PeriodArchiver(ledger, redis, archive, options);
  }

  /** The periods due now, the longest first. One round trip a board. */
  async due(): Promise<DuePeriod[]> {
    const nowMs = this.ledger.settings.clock.now();
    const { settles = () => true } = this.options;
    const boards = this.ledger.settings.boards.filter(({ name, period }) => period !== 'all' && settles(name));
    const found = await Promise.all(
      boards.map(async ({ name }) =>
        (await this.ledger.periods.unsettled(name)).flatMap((period): DuePeriod[] => {
          const { closesAtMs: closedAtMs } = this.ledger.periods.timesOf(name, period);
          return closedAtMs <= nowMs ? [{ leaderboard: name, period, closedAtMs }] : [];
        }),
      ),
    );
    return found.flat().sort((a, b) => a.closedAtMs - b.closedAtMs);
  }

  /**
   * Settles what is due. Null: another instance archives.
   * @param wanted which periods; default all.
   */
  async settleDue(wanted: (due: DuePeriod) => boolean = () => true): Promise<Settlement | null> {
    const all = (await this.due()).filter(wanted);
    const archiving = await this.archive(all);
    const { done, failed, waiting } = await this.announce(all, archiving?.parts);
    if (!archiving) return null;
    const { archived, parts, missed } = archiving;
    const settled = this.options.announcer ? [...archived, ...[...done.values()].flat()] : [...parts.values()].flat();
    const distinct = new Map(settled.map((part) => [`${part.leaderboard} ${part.period}`, part]));
    return { settled: [...distinct.values()], archived, failed: [...archiving.failed, ...failed], missed, waiting };
  }

  /** Archives periods that are due, under the lease. Null: another instance has it. */
  async archive(periods: readonly DuePeriod[]): Promise<Archiving | null> {
    const lease = await Lease.take(this.redis, settlingKey(this.ledger.settings.prefix), this.options.leaseMs);
    if (!lease) return null;
    const parts = new Map<DuePeriod, readonly SettledPeriod[]>();
    const archived: SettledPeriod[] = [];
    const failed: FailedPeriod[] = [];
    const missed: DuePeriod[] = [];
    try {
      for (const due of periods) {
        if (this.options.signal?.aborted) break;
        try {
          const found = await this.archiver.archive(due, lease);
          if (!found) {
            missed.push(due);
            continue;
          }
          archived.push(...found.archived);
          if (found.parts) parts.set(due, found.parts);
          else if (!this.options.announcer) parts.set(due, await this.archiver.parts(due));
        } catch (error) {
          if (error instanceof LeaseLostError || error instanceof StoppedError) throw error;
          failed.push({ due, error });
        }
      }
    } catch (error) {
      // Another instance goes on with the other periods.
      if (!(error instanceof LeaseLostError || error instanceof StoppedError)) throw error;
    } finally {
      await lease.release();
    }
    return { archived, parts, failed, missed };
  }

  /**
   * Announces the archived ones of these periods, some at once, in their order.
   * @param parts those that were just archived; others are read from the archive.
   */
  async announce(periods: readonly DuePeriod[], parts: Archiving['parts'] = new Map()): Promise<Announcing> {
    const done = new Map<DuePeriod, readonly SettledPeriod[]>();
    const failed: FailedPeriod[] = [];
    const waiting: WaitingFor[] = [];
    const { announcer } = this.options;
    if (!announcer || periods.length === 0) return { done, failed, waiting };
    const audience = await announcer.audience();
    await eachOf(periods, announcedAtOnce, async (due) => {
      const { leaderboard, period } = due;
      try {
        const progress = this.archiver.progressOf(due);
        let found: Promise<readonly SettledPeriod[]> | undefined;
        const partsOf = () => (found ??= Promise.resolve(parts.get(due) ?? this.archiver.parts(due)));
        const first = (part: SettledPeriod, count: number) => this.archiver.first(due, part, count);
        const announceable = { leaderboard, period: period.key, progress, parts: partsOf, first };
        const missing = await announcer.announce(announceable, audience);
        if (!missing) return;
        if (missing.length > 0) {
          waiting.push({ due, listeners: missing });
          return;
        }
        await this.ledger.periods.markSettled(leaderboard, period);
        await progress.end();
        done.set(due, await partsOf());
      } catch (error) {
        failed.push({ due, error });
      }
    });
    return { done, failed, waiting };
  }
}

/** The settlements of several ledgers, together. */
export function joined(ofLedgers: readonly Settlement[]): Settlement {
  return {
    settled: ofLedgers.flatMap(({ settled }) => settled),
    archived: ofLedgers.flatMap(({ archived }) => archived),
    failed: ofLedgers.flatMap(({ failed }) => failed),
    missed: ofLedgers.flatMap(({ missed }) => missed),
    waiting: ofLedgers.flatMap(({ waiting }) => waiting),
  };
}

/** Does something with each item, in their order, with some of them at once. */
async function eachOf<T>(items: Iterable<T>, atOnce: number, work: (item: T) => Promise<unknown>): Promise<void> {
  const left = items[Symbol.iterator]();
  const workOn = async (): Promise<void> => {
    for (let next = left.next(); !next.done; next = left.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: atOnce }, workOn));
}
