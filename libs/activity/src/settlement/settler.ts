import type { Ledger, Period, RedisClient } from '@laurel/leaderboard';
import { ArchivedStandings } from '../ranks/standings/archived-standings';
import { eraseMeanwhileErased } from './erased-meanwhile';
import { LeaderboardSettledEvent } from './leaderboard-settled.event';
import { Lease, LeaseLostError, settlingKey } from './lease';
import { Places } from './places';
import type { SettledPeriod, StandingsArchive } from './standings-archive';
import { StandingsChecksum } from './standings-checksum';

/** How equal scores are put in order, in words. */
export const tieRule = 'who reached the score first, then the higher user id as bytes';

/** How a {@link Settler} settles. */
export interface SettlerOptions {
  /** How long a dead instance's work waits for another. */
  readonly leaseMs: number;
  /** How many of the first a settled period's announcement names. */
  readonly winners: number;
  /** The version of the rules in force. */
  readonly rulesVersion: () => number | Promise<number>;
  /** Tells the app; null leaves it to an instance that can. */
  readonly announce: ((event: LeaderboardSettledEvent) => Promise<unknown>) | null;
  /** Whether a board of the ledger is settled: the day boards of rolling windows are not. Default: all. */
  readonly settles?: (board: string) => boolean;
  /** Entries read and written at a time. */
  readonly pageSize?: number;
  /** Stops the work, between two pages: another instance goes on. */
  readonly signal?: AbortSignal;
}

/** A period that has closed and is not done with. */
export interface DuePeriod {
  readonly leaderboard: string;
  readonly period: Period;
  readonly closedAtMs: number;
}

/** What became of the periods that were due. */
export interface Settlement {
  readonly settled: readonly SettledPeriod[];
  /** They stay due. */
  readonly failed: readonly { readonly due: DuePeriod; readonly error: unknown }[];
  /** Their boards had expired before anybody settled them: there is nothing left to archive. */
  readonly missed: readonly DuePeriod[];
}

/** Entries read and written at a time: a call of it keeps other clients of Redis waiting for a tenth of a millisecond. */
const defaultPageSize = 256;

/** The settler was told to stop. */
class StoppedError extends Error {
  override readonly name = 'StoppedError';
}

/**
 * Settles the periods of one ledger's boards: freezes them, writes their standings into the archive, announces them.
 * Every step is safe to repeat, and any instance goes on where another died. Of any number of instances one works at a
 * time, by a lease. What makes it once is not the lease: the archive takes one draft of a period, and an announcement is
 * marked as made.
 */
export class Settler {
  constructor(
    private readonly ledger: Ledger,
    private readonly redis: RedisClient,
    private readonly archive: StandingsArchive,
    private readonly options: SettlerOptions,
  ) {}

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
    const lease = await Lease.take(this.redis, settlingKey(this.ledger.settings.prefix), this.options.leaseMs);
    if (!lease) return null;
    const settled: SettledPeriod[] = [];
    const failed: { readonly due: DuePeriod; readonly error: unknown }[] = [];
    const missed: DuePeriod[] = [];
    try {
      for (const due of (await this.due()).filter(wanted)) {
        if (this.options.signal?.aborted) break;
        try {
          const done = await this.settle(due, lease);
          if (done) settled.push(...done);
          else missed.push(due);
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
    return { settled, failed, missed };
  }

  /** Settles a period, of a partitioned board each of its parts; null where nothing is left to archive. */
  private async settle(due: DuePeriod, lease: Lease): Promise<SettledPeriod[] | null> {
    const { leaderboard, period } = due;
    const settled: SettledPeriod[] = [];
    const mark = await this.placed();
    // Before its parts are listed: none is born after.
    if (!this.hasExpired(due)) await this.ledger.freeze(leaderboard, period);
    for await (const partition of this.partsOf(due)) {
      const label = partition === null ? leaderboard : `${leaderboard}/${partition}`;
      let part = await this.archive.find(label, period.key);
      if (!part) {
        if (this.hasExpired(due)) continue;
        part = await this.write(due, partition, label, lease);
      }
      settled.push(part);
    }
    // Of shards that were given up meanwhile, parts may have been passed over.
    await this.assertUnmoved(mark);
    const { announce } = this.options;
    if (settled.length > 0 && !announce) return settled;
    for (const part of settled) if (announce) await this.announce(part, announce, lease);
    await this.ledger.markSettled(leaderboard, period);
    return settled.length > 0 || !this.hasExpired(due) ? settled : null;
  }

  /** The parts of the period's board; null: it has none. */
  private async *partsOf({ leaderboard, period }: DuePeriod): AsyncGenerator<string | null> {
    const board = this.ledger.settings.boards.find(({ name }) => name === leaderboard);
    if (board?.partition) yield* this.ledger.partitions(leaderboard, period);
    else yield null;
  }

  /**
   * Writes the standings of a frozen period, page by page. Those who are excluded or shown again meanwhile stay where they
   * are; those who are erased go when it is written.
   */
  private async write(
    { leaderboard: board, period }: DuePeriod,
    partition: string | null,
    leaderboard: string,
    lease: Lease,
  ): Promise<SettledPeriod> {
    const { pageSize = defaultPageSize } = this.options;
    const assertGoingOn = (): void => {
      if (this.options.signal?.aborted) throw new StoppedError();
      lease.assertHeld();
    };
    const mark = await this.placed();
    // Those who do not show are archived, too: shown again, they stand where they stood.
    const reader = this.ledger.everyone(board, period, partition);
    const erasuresBefore = await this.ledger.countErasures();
    const countErasures = async (): Promise<number> => (await this.ledger.countErasures()) - erasuresBefore;
    const draft = await this.archive.begin(leaderboard, period.key, await reader.size());
    try {
      const places = new Places();
      const checksum = new StandingsChecksum();
      for await (const entries of reader.walk(pageSize)) {
        assertGoingOn();
        const page = entries.map((entry) => places.number(entry));
        checksum.add(page);
        await draft.append(page);
      }
      const missing = places.count - (await reader.size());
      if (missing < 0 || missing > (await countErasures())) {
        throw new Error(`${places.count} entries were read of a board that has ${places.count - missing}.`);
      }
      await this.assertUnmoved(mark);
      await lease.confirm();
      await draft.commit({
        leaderboard,
        period: period.key,
        startMs: period.start.getTime(),
        endMs: (period.end as Date).getTime(),
        settledAtMs: this.ledger.settings.clock.now(),
        total: places.count,
        checksum: checksum.digest(),
        tieRule,
        rulesVersion: await this.options.rulesVersion(),
      });
    } catch (error) {
      // Where this fails as well, the archive drops it by itself.
      await draft.abandon().catch(() => undefined);
      throw error;
    }
    const settled = await this.archive.find(leaderboard, period.key);
    if (!settled) throw new Error('The archive does not find what it has taken.');
    const { archive } = this;
    await eraseMeanwhileErased({ archive, board: reader, settled, pageSize, countErasures, assertGoingOn });
    return settled;
  }

  /** Where members lie, which the ledger knows then. */
  private async placed(): Promise<string> {
    const { mark } = await this.ledger.placement();
    await this.ledger.syncShards();
    return mark;
  }

  /** @throws Error where members were moved to other shards: what was read may be short of some. */
  private async assertUnmoved(mark: string): Promise<void> {
    if ((await this.ledger.placement()).mark === mark) return;
    throw new Error('Members were moved to other shards while they were read.');
  }

  /** Announces what the archive holds. */
  private async announce(
    settled: SettledPeriod,
    tell: (event: LeaderboardSettledEvent) => Promise<unknown>,
    lease: Lease,
  ): Promise<void> {
    const { leaderboard, period, checksum } = settled;
    const shown = new ArchivedStandings(this.archive, settled);
    const [winners, total] = [await shown.first(this.options.winners), await shown.size()];
    await lease.confirm();
    await tell(new LeaderboardSettledEvent(leaderboard, period, total, checksum, winners));
  }

  private hasExpired({ leaderboard, period }: DuePeriod): boolean {
    return this.ledger.boardTimes(leaderboard, period).expireAtMs <= this.ledger.settings.clock.now();
  }
}
