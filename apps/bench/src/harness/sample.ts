/** The middle of several figures, and how far they lie apart. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** One benchmark's answer: a figure of ours beside the baseline's of the same run. */
export interface Comparison {
  readonly name: string;
  /** The measurement and its data, e.g. `100,000 members, uniform users`. */
  readonly setting: string;
  readonly unit: string;
  readonly subject: Spread;
  readonly baseline: Spread;
  readonly baselineName: string;
  /** Ours divided by the baseline's, round by round. */
  readonly ratio: Spread;
  /** The goal for the ratio, or for our own figure. */
  readonly target: Target | null;
  /** Set where nothing of the baseline's could stand beside our figure. */
  readonly isAlone?: boolean;
}

export interface Target {
  readonly of: 'ratio' | 'subject';
  readonly atMost?: number;
  readonly atLeast?: number;
}

/** Measures once: one figure for each of the comparison's metrics. */
export type Measure = () => Promise<readonly number[]>;

export interface Metric {
  readonly name: string;
  readonly unit: string;
  readonly target: Target | null;
  readonly isAlone?: boolean;
}

export interface ComparisonOptions {
  readonly setting: string;
  readonly baselineName: string;
  readonly metrics: readonly Metric[];
  readonly rounds: number;
  /** Rounds before, which do not count. Default 1; an app over HTTP is compiled for its first twenty seconds. */
  readonly warmUps?: number;
  /** Set where a round takes minutes: each counts, from the first on. */
  readonly isLong?: boolean;
}

/**
 * Runs ours and the baseline in turn, A B A B, after rounds that do not count, unless rounds are long: a machine that
 * slows down slows both, and each round gives one ratio.
 */
export async function compare(subject: Measure, baseline: Measure, options: ComparisonOptions): Promise<Comparison[]> {
  const { metrics, setting, baselineName, warmUps = options.isLong ? 0 : 1 } = options;
  for (let round = 0; round < warmUps; round++) {
    await subject();
    await baseline();
  }
  const rounds: { readonly ours: readonly number[]; readonly theirs: readonly number[] }[] = [];
  for (let round = 0; round < options.rounds; round++) {
    const ours = await subject();
    rounds.push({ ours, theirs: await baseline() });
  }
  return metrics.map((metric, m) => {
    const ours = rounds.map((round) => round.ours[m] as number);
    const theirs = rounds.map((round) => round.theirs[m] as number);
    const ratio = spread(ours.map((figure, round) => figure / (theirs[round] as number)));
    return { ...metric, setting, baselineName, subject: spread(ours), baseline: spread(theirs), ratio };
  });
}

/** Whether a comparison reaches its target; null where it has none. */
export function reaches({ target, ratio, subject }: Comparison): boolean | null {
  if (!target) return null;
  const { median } = target.of === 'ratio' ? ratio : subject;
  return median <= (target.atMost ?? Infinity) && median >= (target.atLeast ?? -Infinity);
}

export function spread(figures: readonly number[]): Spread {
  const sorted = [...figures].sort((a, b) => a - b);
  const at = (index: number) => sorted[index] ?? Number.NaN;
  const half = sorted.length >> 1;
  const median = sorted.length % 2 === 1 ? at(half) : (at(half - 1) + at(half)) / 2;
  return { median, min: at(0), max: at(sorted.length - 1) };
}
