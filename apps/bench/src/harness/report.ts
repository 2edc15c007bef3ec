import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { reaches, type Comparison, type Spread } from './sample';

/** What the figures were measured on. */
export interface Machine {
  readonly node: string;
  readonly redis: string;
  readonly cpu: string;
  readonly cores: number;
}

export function machineOf(redisVersion: string): Machine {
  const cores = cpus();
  return { node: process.version, redis: redisVersion, cpu: cores[0]?.model.trim() ?? 'unknown', cores: cores.length };
}

const number = (value: number): string =>
  Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);

const range = ({ median, min, max }: Spread): string => `${number(median)} (${number(min)}–${number(max)})`;

function targetOf(comparison: Comparison): string {
  const { target, unit } = comparison;
  if (!target) return '';
  const bound = target.atMost === undefined ? `≥ ${target.atLeast}` : `≤ ${target.atMost}`;
  return `${target.of === 'ratio' ? bound : `${bound} ${unit}`} ${reaches(comparison) === true ? 'reached' : 'NOT REACHED'}`;
}

/** One comparison in lines for a terminal. */
export function linesOf(comparison: Comparison): string {
  const { name, setting, unit, subject, baseline, baselineName, ratio } = comparison;
  return [
    `${name}, ${setting}`,
    `  ours       ${range(subject)} ${unit}`,
    `  baseline   ${range(baseline)} ${unit}  ${baselineName}`,
    `  ratio      ${range(ratio)}  ${targetOf(comparison)}`,
  ].join('\n');
}

/** All comparisons as a Markdown table, for docs/benchmarks.md. */
export function tableOf(comparisons: readonly Comparison[]): string {
  const rows = comparisons.map((comparison) => {
    const { name, setting, unit, subject, baseline, ratio } = comparison;
    return `| ${name} | ${setting} | ${range(subject)} ${unit} | ${range(baseline)} ${unit} | ${range(ratio)} | ${targetOf(comparison)} |`;
  });
  return [
    '| benchmark | setting | ours | baseline | ratio | target |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}

/** Writes the comparisons as JSON and gives the file's path. */
export async function writeReport(
  folder: string,
  stamp: string,
  machine: Machine,
  comparisons: readonly Comparison[],
): Promise<string> {
  await mkdir(folder, { recursive: true });
  const file = join(folder, `${stamp}.json`);
  const results = comparisons.map((comparison) => ({ ...comparison, reached: reaches(comparison) }));
  await writeFile(file, `${JSON.stringify({ machine, results }, null, 2)}\n`);
  return file;
}
