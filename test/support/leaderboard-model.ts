import type { Entry, Order, Ranking, Score, Update } from '@laurel/leaderboard';

/** What a model board keeps of a member. */
interface Kept {
  readonly numbers: readonly number[];
  readonly reachedAt: number | null;
}

export interface ModelOptions {
  readonly layout: 'plain' | 'packed' | 'lexical';
  readonly order: Order;
  readonly firstRank?: 0 | 1;
  readonly limit?: number;
  /** Of lexical boards: each dimension's own order. */
  readonly dimensions?: readonly Order[];
}

/**
 * A leaderboard in memory, written to be plainly right: everything is sorted anew for every question. The judge of the
 * engine's suites.
 */
export class LeaderboardModel<S extends Score = number> {
  private readonly kept = new Map<string, Kept>();

  constructor(private readonly options: ModelOptions) {}

  write(update: Update, member: string, score: S, atMs: number): void {
    this.writeAll(update, [{ member, score, atMs }]);
  }

  /** Writes line after line, and then forgets what falls off the limit. */
  writeAll(update: Update, lines: readonly { member: string; score: S; atMs: number }[]): void {
    for (const { member, score, atMs } of lines) {
      const given: Kept = {
        numbers: (Array.isArray(score) ? (score as number[]) : [score as number]).map((number) => number + 0),
        reachedAt: this.options.layout === 'packed' ? atMs : null,
      };
      const old = this.kept.get(member);
      this.kept.set(member, old ? this.updated(update, old, given) : given);
    }
    for (const { member } of this.entries().slice(this.options.limit ?? Infinity)) this.kept.delete(member);
  }

  remove(members: readonly string[]): number {
    return members.filter((member) => this.kept.delete(member)).length;
  }

  clear(): void {
    this.kept.clear();
  }

  /** All entries in rank order. */
  entries(ranking: Ranking = 'ordinal'): Entry<S>[] {
    const sorted = [...this.kept].sort(([a, x], [b, y]) => this.compare(x, y) || this.byTime(x, y) || this.byId(a, b));
    let competition = 0;
    let dense = -1;
    return sorted.map(([member, { numbers, reachedAt }], i) => {
      const before = sorted[i - 1];
      if (!before || this.compare(before[1], { numbers, reachedAt }) !== 0) {
        competition = i;
        dense++;
      }
      const ahead = { ordinal: i, competition, dense }[ranking];
      const score = (this.options.layout === 'lexical' ? numbers : numbers[0]) as S;
      const rank = ahead + (this.options.firstRank ?? 1);
      return { member, score, rank, reachedAt: reachedAt === null ? null : new Date(reachedAt) };
    });
  }

  /** The member's entry with its neighbours. */
  around(member: string, radius: number, ranking: Ranking): Entry<S>[] {
    const all = this.entries(ranking);
    const own = all.findIndex((entry) => entry.member === member);
    if (own < 0) return [];
    const start = Math.max(0, Math.min(own - radius, all.length - (2 * radius + 1)));
    return all.slice(start, start + 2 * radius + 1);
  }

  /** The entries whose scores are neither better than the better bound nor worse than the worse one. */
  between(min: S, max: S, ranking: Ranking = 'ordinal'): Entry<S>[] {
    const [best, worst] = this.options.order === 'desc' ? [max, min] : [min, max];
    const kept = (score: Score): Kept => ({
      numbers: Array.isArray(score) ? (score as number[]) : [score as number],
      reachedAt: null,
    });
    return this.entries(ranking).filter(
      ({ score }) => this.compare(kept(score), kept(best)) >= 0 && this.compare(kept(score), kept(worst)) <= 0,
    );
  }

  private updated(update: Update, old: Kept, given: Kept): Kept {
    if (update === 'set') return given;
    if (update === 'best') return this.compare(given, old) < 0 ? given : old;
    if (this.options.layout === 'packed' && given.numbers[0] === 0) return old;
    return {
      numbers: old.numbers.map((number, d) => number + (given.numbers[d] as number) + 0),
      reachedAt: old.reachedAt === null ? null : Math.max(old.reachedAt, given.reachedAt ?? 0),
    };
  }

  /** Negative where `a` is better. */
  private compare(a: Kept, b: Kept): number {
    const { order, dimensions = [] } = this.options;
    for (let d = 0; d < a.numbers.length; d++) {
      const [x, y] = [a.numbers[d] as number, b.numbers[d] as number];
      if (x !== y) return ((dimensions[d] ?? order) === 'desc' ? y < x : x < y) ? -1 : 1;
    }
    return 0;
  }

  private byTime(a: Kept, b: Kept): number {
    return (a.reachedAt ?? 0) - (b.reachedAt ?? 0);
  }

  private byId(a: string, b: string): number {
    const bytes = Buffer.compare(Buffer.from(a), Buffer.from(b));
    return this.options.order === 'desc' ? -bytes : bytes;
  }
}
