import type { ArchivedEntry, ArchiveDraft, SettledPeriod, StandingsArchive } from '@laurel/activity';
import type { Ledger, Period, Ranking } from '@laurel/leaderboard';
import { rankings } from '@laurel/leaderboard/internals';

interface Archived {
  readonly period: SettledPeriod;
  readonly entries: readonly ArchivedEntry[];
}

/** An archive in this process' memory, for tests of what reads one. */
export class MemoryArchive implements StandingsArchive {
  /** How often each method was called. */
  readonly calls = { find: 0, periods: 0, page: 0, entries: 0, history: 0 };
  /** While it is set, reads fail with it. */
  fault: Error | undefined;
  /** While it is set, reads never end. */
  hangs = false;
  private readonly archived = new Map<string, Archived>();

  begin(leaderboard: string, period: string): Promise<ArchiveDraft> {
    const key = keyOf(leaderboard, period);
    const drafted: ArchivedEntry[] = [];
    return Promise.resolve({
      append: (entries) => Promise.resolve(void drafted.push(...entries)),
      commit: (settled) => {
        if (this.archived.has(key)) return Promise.resolve(false);
        this.archived.set(key, { period: settled, entries: drafted });
        return Promise.resolve(true);
      },
      abandon: () => Promise.resolve(),
    });
  }

  find(leaderboard: string, period: string): Promise<SettledPeriod | null> {
    return this.read('find', () => this.archived.get(keyOf(leaderboard, period))?.period ?? null);
  }

  periods(leaderboard: string, options: { readonly limit: number; readonly beforeMs?: number }) {
    return this.read('periods', () =>
      this.before(leaderboard, options.beforeMs)
        .slice(0, options.limit)
        .map(({ period }) => period),
    );
  }

  page(leaderboard: string, period: string, offset: number, limit: number): Promise<ArchivedEntry[]> {
    return this.read('page', () => this.entriesOf(leaderboard, period).slice(offset, offset + limit));
  }

  entries(leaderboard: string, period: string, userIds: readonly string[]): Promise<(ArchivedEntry | null)[]> {
    return this.read('entries', () => {
      const byUser = new Map(this.entriesOf(leaderboard, period).map((entry) => [entry.userId, entry]));
      return userIds.map((userId) => byUser.get(userId) ?? null);
    });
  }

  history(
    leaderboard: string,
    userId: string,
    options: { readonly limit: number; readonly beforeMs?: number; readonly fromMs?: number },
  ): Promise<{ readonly period: SettledPeriod; readonly entry: ArchivedEntry }[]> {
    return this.read('history', () =>
      this.before(leaderboard, options.beforeMs)
        .flatMap(({ period, entries }) => {
          const entry = entries.find((one) => one.userId === userId);
          return entry && period.startMs >= (options.fromMs ?? -Infinity) ? [{ period, entry }] : [];
        })
        .slice(0, options.limit),
    );
  }

  private entriesOf(leaderboard: string, period: string): readonly ArchivedEntry[] {
    return this.archived.get(keyOf(leaderboard, period))?.entries ?? [];
  }

  private before(leaderboard: string, beforeMs = Infinity): Archived[] {
    return [...this.archived.values()]
      .filter(({ period }) => period.leaderboard === leaderboard && period.startMs < beforeMs)
      .sort((a, b) => b.period.startMs - a.period.startMs);
  }

  private read<T>(method: keyof MemoryArchive['calls'], work: () => T): Promise<T> {
    this.calls[method] += 1;
    if (this.hangs) return new Promise(() => undefined);
    return this.fault ? Promise.reject(this.fault) : Promise.resolve(work());
  }
}

/** Puts the standings of a period, as they are now, into an archive, as settling it does. */
export async function archivePeriod(
  archive: StandingsArchive,
  ledger: Ledger,
  leaderboard: string,
  period: Period,
): Promise<void> {
  const board = ledger.board(leaderboard, period);
  const size = await board.size();
  const ranked = await Promise.all(rankings.map((ranking) => board.top(size, { ranking })));
  const rankOf = (ranking: Ranking, index: number) => ranked[rankings.indexOf(ranking)]?.[index]?.rank ?? 0;
  const draft = await archive.begin(leaderboard, period.key);
  await draft.append(
    (ranked[0] ?? []).map(({ member, score, reachedAt }, index) => ({
      place: rankOf('ordinal', index),
      competition: rankOf('competition', index),
      dense: rankOf('dense', index),
      userId: member,
      score,
      reachedAtMs: reachedAt?.getTime() ?? null,
    })),
  );
  await draft.commit({
    leaderboard,
    period: period.key,
    startMs: period.start.getTime(),
    endMs: period.end?.getTime() ?? 0,
    settledAtMs: ledger.settings.clock.now(),
    total: size,
    checksum: '',
    tieRule: '',
    rulesVersion: 1,
  });
}

function keyOf(leaderboard: string, period: string): string {
  return `${leaderboard} ${period}`;
}
