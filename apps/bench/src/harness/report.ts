import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import type { Results } from './run-benchmarks';
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

/** All comparisons as a Markdown table, for docs/benchmarks.md, with a row for each benchmark that failed. */
export function tableOf({ comparisons, failures }: Results): string {
  const rows = comparisons.map((comparison) => {
    const { name, setting, unit, subject, baseline, ratio } = comparison;
    return `| ${name} | ${setting} | ${range(subject)} ${unit} | ${range(baseline)} ${unit} | ${range(ratio)} | ${targetOf(comparison)} |`;
  });
  const failed = failures.map(({ title, message }) => `| ${title} | FAILED: ${firstLineOf(message)} | | | | |`);
  return [
    '| benchmark | setting | ours | baseline | ratio | target |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows,
    ...failed,
  ].join('\n');
}

/** What fits into a cell. */
function firstLineOf(message: string): string {
  return (message.split('\n')[0] ?? '').replaceAll('|', '\\|');
}

/** Writes the comparisons as JSON and gives the file's path. `failures` names the benchmarks that gave none. */
export async function writeReport(
  folder: string,
  stamp: string,
  machine: Machine,
  { comparisons, failures }: Results,
): Promise<string> {
  await mkdir(folder, { recursive: true });
  const file = join(folder, `${stamp}.json`);
  const results = comparisons.map((comparison) => ({ ...comparison, reached: reaches(comparison) }));
  await writeFile(file, `${JSON.stringify({ machine, results, failures }, null, 2)}\n`);
  return file;
}
