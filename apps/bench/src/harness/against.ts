import type { Benchmark } from './context';
import { runRow, type Program, type RowProcessOptions } from './row-process';
import type { Failure, Measured } from './run-benchmark';
import { spread, type Spread } from './sample';

/** One figure of two commits. */
export interface Change {
  readonly benchmark: string;
  readonly name: string;
  readonly setting: string;
  readonly unit: string;
  readonly before: Spread;
  readonly after: Spread;
  /** After divided by before, round by round. */
  readonly ratio: Spread;
  /** `slower` or `faster` where every round says so: seven rounds of mere noise agree once in 64 times. */
  readonly verdict: 'slower' | 'faster' | 'same';
}

/** The figures of two commits. */
export interface Changes {
  readonly changes: readonly Change[];
  readonly failures: readonly Failure[];
  /** Rows, and figures of rows, that the commit of before does not have. */
  readonly added: readonly string[];
}

export interface AgainstOptions extends Omit<RowProcessOptions, 'args' | 'say'> {
  readonly before: Program;
  readonly after: Program;
  readonly rounds: number;
  readonly argsOf: (row: Benchmark) => readonly string[];
  /** Told what is going on. */
  readonly say: (line: string) => void;
}

/** Runs rows of two commits in turn: a round is a process of each side, and the side that begins changes each round. */
export async function runAgainst(rows: readonly Benchmark[], options: AgainstOptions): Promise<Changes> {
  const changes: Change[] = [];
  const failures: Failure[] = [];
  const added: string[] = [];
  for (const row of rows) {
    const done = await roundsOf(row, options);
    if (done === null) added.push(row.name);
    else if ('message' in done) failures.push(done);
    else {
      const found = changesOf(done);
      changes.push(...found.changes);
      added.push(...found.added);
    }
  }
  return { changes, failures, added };
}

/** The figures of one row, by round. */
interface Rounds {
  readonly before: readonly (readonly Measured[])[];
  readonly after: readonly (readonly Measured[])[];
}

/** All rounds of a row; null where the commit of before does not have the row. */
async function roundsOf(row: Benchmark, options: AgainstOptions): Promise<Rounds | Failure | null> {
  const { rounds, argsOf, say } = options;
  const figures = { before: [] as (readonly Measured[])[], after: [] as (readonly Measured[])[] };
  const args = argsOf(row);
  say(`\n${row.name}: ${row.title}`);
  for (let round = 0; round < rounds; round++) {
    const sides = ['before', 'after'] as const;
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      const { comparisons, failures } = await runRow(options[side], row, { ...options, args, say: () => undefined });
      const [failure] = failures;
      if (failure && side === 'before' && failure.message.includes(`There is no "${row.name}"`)) return null;
      if (failure) return { ...failure, message: `${side}: ${failure.message}` };
      figures[side].push(comparisons);
      say(
        `  round ${round + 1}, ${side}: ${comparisons.map(({ subject, unit }) => shown(subject.median, unit)).join(', ')}`,
      );
    }
  }
  return figures;
}

const shown = (figure: number, unit: string) => `${figure.toPrecision(3)} ${unit}`;

/**
 * A figure is the same on both sides by its name and what it was measured on. Where that is in other words, by its name
 * and its place in the row.
 */
function changesOf({ before, after }: Rounds): Pick<Changes, 'changes' | 'added'> {
  const changes: Change[] = [];
  const added: string[] = [];
  const known = after[0] ?? [];
  const isKnown = (figure: Measured) => known.some((one) => one.name === figure.name && one.setting === figure.setting);
  for (const [place, { benchmark, name, setting, unit }] of known.entries()) {
    const medians = (rounds: readonly (readonly Measured[])[]) =>
      rounds.map((figures) => {
        const same = figures.find((one) => one.name === name && one.setting === setting);
        const there = figures[place];
        return (same ?? (there?.name === name && !isKnown(there) ? there : undefined))?.subject.median;
      });
    const [old, now] = [medians(before).filter(isNumber), medians(after).filter(isNumber)];
    if (old.length === now.length) {
      const ratio = spread(now.map((figure, round) => figure / (old[round] as number)));
      const verdict = verdictOf(ratio, unit);
      changes.push({ benchmark, name, setting, unit, before: spread(old), after: spread(now), ratio, verdict });
    } else added.push(`${benchmark}: ${name}, ${setting}`);
  }
  return { changes, added };
}

const isNumber = (figure: number | undefined): figure is number => figure !== undefined;

/** A unit of which more is better. */
const isRate = (unit: string) => /\/s$|\ba second$/.test(unit);

function verdictOf({ min, max }: Spread, unit: string): Change['verdict'] {
  if (min <= 1 && max >= 1) return 'same';
  return min > 1 === isRate(unit) ? 'faster' : 'slower';
}
