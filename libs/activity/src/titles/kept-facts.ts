import type { Entry } from '@laurel/leaderboard';

/** The most users of whom something is kept. */
const maxKept = 10_000;

/** What moves no entry of this board, such as a cancelled activity of an earlier day, is seen so late at most. */
const maxAgeMs = 60_000;

interface Kept<Facts> {
  readonly score: number;
  readonly reachedAtMs: number;
  readonly readAtMs: number;
  readonly facts: Facts;
}

/** What was read of users, for as long as nothing moves their entries: a minute at most. */
export class KeptFacts<Facts> {
  private readonly kept = new Map<string, Kept<Facts>>();

  /** What is kept of an entry's user; undefined where there is nothing, or it is no longer sure. */
  find(of: string, entry: Entry, nowMs: number): Facts | undefined {
    const kept = this.kept.get(of + entry.member);
    if (kept?.score !== entry.score || kept.reachedAtMs !== reachedAtMs(entry)) return undefined;
    const ageMs = nowMs - kept.readAtMs;
    return ageMs >= 0 && ageMs < maxAgeMs ? kept.facts : undefined;
  }

  /** Keeps what was read of an entry's user after the entry itself was. @param of a JSON text: what the facts are about. */
  keep(of: string, entry: Entry, nowMs: number, facts: Facts): void {
    const key = of + entry.member;
    this.kept.delete(key);
    if (this.kept.size >= maxKept) {
      // A Map keeps the order of insertion: the first is the oldest.
      const [oldest] = this.kept.keys();
      if (oldest !== undefined) this.kept.delete(oldest);
    }
    this.kept.set(key, { score: entry.score, reachedAtMs: reachedAtMs(entry), readAtMs: nowMs, facts });
  }
}

function reachedAtMs({ reachedAt }: Entry): number {
  return reachedAt?.getTime() ?? 0;
}
