import type { Ledger, RedisClient } from '@laurel/leaderboard';
import type { Announcer, Audience } from './announcer';
import { eachOf } from './each-of';
import { Lease, LeaseLostError, settlingKey } from './lease';
import { PeriodArchiver, StoppedError, type DuePeriod } from './period-archiver';
import type { SettledPeriod, StandingsArchive } from './archive/standings-archive';

/** How a {@link Settler} settles. */
export interface SettlerOptions {
  /** How long a dead instance's work waits for another. */
  readonly leaseMs: number;
  /** The version of the rules in force. */
  readonly rulesVersion: () => number | Promise<number>;
  /** Tells the app; null leaves it to an instance that can. */
  readonly announcer: Announcer | null;
  /** Whether a board of the ledger is settled: the day boards of rolling windows are not. Default: all. */
  readonly settles?: (board: string) => boolean;
  /** Entries read and written at a time. */
  readonly pageSize?: number;
  /** Stops the work, between two pages: another instance goes on. */
  readonly signal?: AbortSignal;
}

/** What became of the periods that were due. */
export interface Settlement {
  /** What is in the archive, and was archived or acknowledged by all listeners now; all where nobody is told. */
  readonly settled: readonly SettledPeriod[];
  /** What of it was archived now. */
  readonly archived: readonly SettledPeriod[];
  /** They stay due. */
  readonly failed: readonly FailedPeriod[];
  /** Their boards had expired before anybody settled them: there is nothing left to archive. */
  readonly missed: readonly DuePeriod[];
  /** They are archived and stay due, until these listeners have acknowledged them. */
  readonly waiting: readonly WaitingFor[];
}

/** A period that was not settled. */
export interface FailedPeriod {
  readonly due: DuePeriod;
  readonly error: unknown;
}

/** A period that is archived, and who has not acknowledged it. */
export interface WaitingFor {
  readonly due: DuePeriod;
  readonly listeners: readonly string[];
}

/** What came of archiving. */
export interface Archiving extends Omit<Settlement, 'settled' | 'waiting'> {
  /** What had been archived before and is not announced here. */
  readonly known: readonly SettledPeriod[];
}

/** What came of announcing. */
export interface Announcing extends Pick<Settlement, 'failed' | 'waiting'> {
  /** What all listeners have acknowledged now. */
  readonly done: readonly SettledPeriod[];
}

/** Entries read and written at a time: a call of it keeps other clients of Redis waiting for a tenth of a millisecond. */
const defaultPageSize = 256;

/** Periods that are announced at once. */
const announcedAtOnce = 16;

/**
 * Settles the periods of one ledger's boards: freezes them, writes their standings into the archive, announces them.
 * Every step is safe to repeat, and any instance goes on where another died. Of any number of instances one archives at a
 * time, by a lease. What makes it once is not the lease: the archive takes one draft of a period, and what a listener has
 * acknowledged is noted.
 */
export class Settler {
  private readonly archiver: PeriodArchiver;

  constructor(
    private readonly ledger: Ledger,
    private readonly redis: RedisClient,
    archive: StandingsArchive,
    private readonly options: SettlerOptions,
  ) {
    const { rulesVersion, pageSize = defaultPageSize, signal } = options;
    this.archiver = new PeriodArchiver(ledger, redis, archive, { rulesVersion, pageSize, signal });
  }

  /** What is due now, the longest first. One round trip a board. */
  async due(): Promise<DuePeriod[]> {
    const nowMs = this.ledger.settings.clock.now();
    const { settles = () => true } = this.options;
    const boards = this.ledger.settings.boards.filter(({ name, period }) => period !== 'all' && settles(name));
    const found = await Promise.all(
      boards.map(async ({ name }) =>
        (await this.ledger.unsettled(name)).flatMap((period): DuePeriod[] => {
          const { closesAtMs: closedAtMs } = this.ledger.boardTimes(name, period);
          return closedAtMs <= nowMs ? [{ leaderboard: name, period, closedAtMs }] : [];
        }),
      ),
    );
    return found.flat().sort((a, b) => a.closedAtMs - b.closedAtMs);
  }

  /**
   * Settles what is due, and of that what is asked for. Null: another instance is at it.
   * @param wanted which periods, default all; asked when the others' work is done.
   */
  async settleDue(wanted: (due: DuePeriod) => boolean = () => true): Promise<Settlement | null> {
    const archiving = await this.archiveDue(wanted);
    const { done, failed, waiting } = await this.announceDue(wanted);
    if (!archiving) return null;
    const { archived, known, missed } = archiving;
    const all = [...archived, ...known, ...done];
    const settled = new Map(all.map((part) => [`${part.leaderboard} ${part.period}`, part]));
    return { settled: [...settled.values()], archived, failed: [...archiving.failed, ...failed], missed, waiting };
  }

  /** Archives what is due, and of that what is asked for. Null: another instance is at it. */
  async archiveDue(wanted: (due: DuePeriod) => boolean = () => true): Promise<Archiving | null> {
    const lease = await Lease.take(this.redis, settlingKey(this.ledger.settings.prefix), this.options.leaseMs);
    if (!lease) return null;
    const archived: SettledPeriod[] = [];
    const known: SettledPeriod[] = [];
    const failed: FailedPeriod[] = [];
    const missed: DuePeriod[] = [];
    try {
      for (const due of (await this.due()).filter(wanted)) {
        if (this.options.signal?.aborted) break;
        try {
          const parts = await this.archiver.archive(due, lease);
          if (!parts) missed.push(due);
          else archived.push(...parts);
          if (parts && !this.options.announcer) known.push(...(await this.archiver.parts(due)));
        } catch (error) {
          if (error instanceof LeaseLostError || error instanceof StoppedError) throw error;
          failed.push({ due, error });
        }
      }
    } catch (error) {
      // What is left is another's now.
      if (!(error instanceof LeaseLostError || error instanceof StoppedError)) throw error;
    } finally {
      await lease.release();
    }
    return { archived, known, failed, missed };
  }

  /** Announces what is archived, and of that what is asked for: some periods at once, the one that waits longest first. */
  async announceDue(wanted: (due: DuePeriod) => boolean = () => true): Promise<Announcing> {
    const done: SettledPeriod[] = [];
    const failed: FailedPeriod[] = [];
    const waiting: WaitingFor[] = [];
    const { announcer } = this.options;
    const all = announcer ? (await this.due()).filter(wanted) : [];
    if (!announcer || all.length === 0) return { done, failed, waiting };
    const audience = await announcer.audience();
    await eachOf(all, announcedAtOnce, async (due) => {
      try {
        const told = await this.announceOne(due, announcer, audience);
        if (told && 'done' in told) done.push(...told.done);
        else if (told) waiting.push({ due, listeners: told.missing });
      } catch (error) {
        failed.push({ due, error });
      }
    });
    return { done, failed, waiting };
  }

  /** Announces a period to those who are here; null: it is not archived yet. */
  private async announceOne(
    due: DuePeriod,
    announcer: Announcer,
    audience: Audience,
  ): Promise<{ readonly done: readonly SettledPeriod[] } | { readonly missing: readonly string[] } | null> {
    const { leaderboard, period } = due;
    const progress = this.archiver.progressOf(due);
    let found: Promise<SettledPeriod[]> | undefined;
    const parts = () => (found ??= this.archiver.parts(due));
    const missing = await announcer.announce({ leaderboard, period: period.key, progress, parts }, audience);
    if (!missing) return null;
    if (missing.length > 0) return { missing };
    await this.ledger.markSettled(leaderboard, period);
    await progress.end();
    return { done: await parts() };
  }
}

/** What was done on several ledgers, together. */
export function joined(ofLedgers: readonly Settlement[]): Settlement {
  return {
    settled: ofLedgers.flatMap(({ settled }) => settled),
    archived: ofLedgers.flatMap(({ archived }) => archived),
    failed: ofLedgers.flatMap(({ failed }) => failed),
    missed: ofLedgers.flatMap(({ missed }) => missed),
    waiting: ofLedgers.flatMap(({ waiting }) => waiting),
  };
}
