import type { Clock, ConditionallyWritten, Entry, Order, Ranking, Score, WriteCondition } from '@laurel/leaderboard';
import type { Update } from '@laurel/leaderboard/internals';

/** What a model board keeps of a member. */
interface Kept {
  readonly numbers: readonly number[];
  readonly reachedAt: number | null;
}

export type ModelLayout = 'plain' | 'packed' | 'lexical';

/** One line to write. */
interface ModelLine<S extends Score> {
  readonly member: string;
  readonly score: S;
  /** Default: the clock's. */
  readonly at?: Date;
}

export interface ModelOptions {
  readonly layout: ModelLayout;
  readonly order: Order;
  readonly firstRank?: 0 | 1;
  readonly limit?: number;
  readonly clock?: Clock;
  /** Of boards of several dimensions: each one's own order. */
  readonly dimensions?: readonly Order[];
}

/**
 * A leaderboard in memory, written to be plainly right: everything is sorted anew after every write. The judge of the
 * engine's suites.
 */
export class LeaderboardModel<S extends Score = number> {
  private readonly kept = new Map<string, Kept>();
  /** In rank order, until something is written. */
  private sorted: (readonly [member: string, kept: Kept])[] | null = null;
  private readonly keepsTime: boolean;
  private readonly hasDimensions: boolean;

  constructor(private readonly options: ModelOptions) {
    this.keepsTime = options.layout === 'packed';
    this.hasDimensions = options.layout === 'lexical';
  }

  write(update: Update, member: string, score: S, atMs: number): void {
    this.writeAll(update, [{ member, score, at: new Date(atMs) }]);
  }

  /** Writes line after line, says what stands after each, and then forgets what falls off the limit. */
  writeAll(update: Update, lines: readonly ModelLine<S>[], only?: WriteCondition): (ConditionallyWritten<S> | null)[] {
    const results = lines.map((line) => this.writeOne(update, line, only));
    for (const { member } of this.entries().slice(this.options.limit ?? Infinity)) this.forget(member);
    return results;
  }

  remove(members: readonly string[]): number {
    return members.filter((member) => this.forget(member)).length;
  }

  private forget(member: string): boolean {
    this.sorted = null;
    return this.kept.delete(member);
  }

  /** All entries in rank order. */
  entries(ranking: Ranking = 'ordinal'): Entry<S>[] {
    const sorted = (this.sorted ??= [...this.kept].sort(
      ([a, x], [b, y]) => this.compare(x, y) || this.byTime(x, y) || this.byId(a, b),
    ));
    let competition = 0;
    let dense = -1;
    return sorted.map(([member, { numbers, reachedAt }], i) => {
      const before = sorted[i - 1];
      if (!before || this.compare(before[1], { numbers, reachedAt }) !== 0) {
        competition = i;
        dense++;
      }
      const ahead = { ordinal: i, competition, dense }[ranking];
      const rank = ahead + (this.options.firstRank ?? 1);
      return { ...this.line(member, { numbers, reachedAt }), rank };
    });
  }

  /** The member's entry; null where there is none. */
  find(member: string, ranking: Ranking = 'ordinal'): Entry<S> | null {
    return this.entries(ranking).find((entry) => entry.member === member) ?? null;
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
    return this.entries(ranking).filter(
      ({ score }) =>
        this.compare(this.scored(score), this.scored(best)) >= 0 &&
        this.compare(this.scored(score), this.scored(worst)) <= 0,
    );
  }

  private scored(score: Score): Kept {
    return { numbers: Array.isArray(score) ? (score as number[]) : [score as number], reachedAt: null };
  }

  private writeOne(
    update: Update,
    { member, score, at }: ModelLine<S>,
    only: WriteCondition | undefined,
  ): ConditionallyWritten<S> | null {
    const given: Kept = {
      numbers: (Array.isArray(score) ? (score as number[]) : [score as number]).map((number) => number + 0),
      reachedAt: this.keepsTime ? (at?.getTime() ?? this.options.clock?.now() ?? 0) : null,
    };
    const old = this.kept.get(member);
    const expected = typeof only === 'object' ? this.scored(only.score) : null;
    const isMet = expected ? old && this.compare(expected, old) === 0 : !(only === 'absent' && old);
    if ((only === 'present' && !old) || !isMet) return old ? this.line(member, old, false) : null;
    const wanted = old && update === 'increment' ? this.sum(old, given) : given;
    // What leaves the score as it was leaves its moment.
    const made = old && this.keepsTime && this.compare(wanted, old) === 0 ? old : wanted;
    const better = !(old && (update === 'best' || only === 'better')) || this.compare(made, old) < 0;
    const written = better && !(old && only === 'different' && this.compare(made, old) === 0);
    if (written) {
      this.sorted = null;
      this.kept.set(member, made);
    }
    return this.line(member, written ? made : old, written);
  }

  private sum(old: Kept, given: Kept): Kept {
    return {
      numbers: old.numbers.map((number, d) => number + (given.numbers[d] as number) + 0),
      reachedAt: old.reachedAt === null ? null : Math.max(old.reachedAt, given.reachedAt ?? 0),
    };
  }

  private line(member: string, kept: Kept, written: boolean): ConditionallyWritten<S>;
  private line(member: string, kept: Kept): Omit<ConditionallyWritten<S>, 'written'>;
  private line(member: string, { numbers, reachedAt }: Kept, written?: boolean) {
    const score = (this.hasDimensions ? numbers : numbers[0]) as S;
    const line = { member, score, reachedAt: reachedAt === null ? null : new Date(reachedAt) };
    return written === undefined ? line : { ...line, written };
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
