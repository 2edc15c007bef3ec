import { mkdir, writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import type { Changes } from './against';
import type { Failure, Results } from './run-benchmark';
import { reaches, type Comparison, type Spread } from './sample';

/** The machine and versions that the figures were measured on, printed with them. */
export interface Circumstances {
  readonly date: string;
  /** The commit, with ` and changes` where files were others; null outside of a repository. */
  readonly commit: string | null;
  readonly node: string;
  readonly redis: string;
  readonly cpu: string;
  readonly cores: number;
  /** Programs that ran or wanted to, over the minute before. */
  readonly loadBefore: number;
  /** The options of the command. */
  readonly options: string;
}

export function machineOf(): Pick<Circumstances, 'node' | 'cpu' | 'cores' | 'loadBefore'> {
  const cores = cpus();
  const cpu = cores[0]?.model.trim() ?? 'unknown';
  return { node: process.version, cpu, cores: cores.length, loadBefore: loadavg()[0] ?? Number.NaN };
}

const number = (value: number): string =>
  Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);

const range = ({ median, min, max }: Spread): string => `${number(median)} (${number(min)}–${number(max)})`;

function targetOf(comparison: Comparison): string {
  const { target, unit } = comparison;
  if (!target) return '';
  const [sign, figure] = target.atMost === undefined ? ['≥', target.atLeast] : ['≤', target.atMost];
  const bound = `${sign} ${figure?.toLocaleString('en', { maximumSignificantDigits: 3 })}`;
  const reached = reaches(comparison) === true ? 'reached' : 'not reached';
  return `${target.of === 'ratio' ? bound : `${bound} ${unit}`}, ${reached}`;
}

/** One comparison in lines for a terminal. */
export function linesOf(comparison: Comparison): string {
  const { name, setting, unit, subject, baseline, baselineName, ratio, isAlone } = comparison;
  const beside = [
    `  baseline   ${range(baseline)} ${unit}  ${baselineName}`,
    `  ratio      ${range(ratio)}  ${targetOf(comparison)}`,
  ];
  const own = `  ours       ${range(subject)} ${unit}`;
  return [`${name}, ${setting}`, ...(isAlone ? [`${own}  ${targetOf(comparison)}`] : [own, ...beside])].join('\n');
}

/** Cells as a Markdown table. */
const markdown = (...rows: readonly (readonly string[])[]): string =>
  rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const failedRow = ({ title, message }: Failure) => [title, `FAILED: ${firstLineOf(message)}`, '', '', '', ''];

/** A text short enough for a cell. */
function firstLineOf(message: string): string {
  return (message.split('\n')[0] ?? '').replaceAll('|', '\\|');
}

/** All comparisons as a Markdown table, with a row for each benchmark that failed. */
export function tableOf({ comparisons, failures }: Pick<Results, 'comparisons' | 'failures'>): string {
  const rows = comparisons.map((comparison) => {
    const { name, setting, unit, subject, baseline, ratio, isAlone } = comparison;
    const beside = isAlone ? ['', ''] : [`${range(baseline)} ${unit}`, range(ratio)];
    return [name, setting, `${range(subject)} ${unit}`, ...beside, targetOf(comparison)];
  });
  const head = ['benchmark', 'setting', 'ours', 'baseline', 'ratio', 'target'];
  return markdown(
    head,
    head.map(() => '---'),
    ...rows,
    ...failures.map(failedRow),
  );
}

/** The changes since another commit, and under them the rows that became slower. */
export function changesTableOf({ changes, failures, added }: Changes, commit: string): string {
  const head = ['benchmark', 'setting', commit, 'now', 'now / before', ''];
  const rows = changes.map(({ name, setting, unit, before, after, ratio, verdict }) => [
    ...[name, setting, `${range(before)} ${unit}`, `${range(after)} ${unit}`, range(ratio)],
    verdict === 'same' ? '' : verdict,
  ]);
  const slower = changes.filter(({ verdict }) => verdict === 'slower');
  const list = slower.map(({ name, setting, ratio }) => `- ${name}, ${setting}: ${range(ratio)}`);
  return [
    markdown(
      head,
      head.map(() => '---'),
      ...rows,
      ...failures.map(failedRow),
    ),
    slower.length === 0 ? 'Nothing became slower in every round.' : `Slower in every round:\n\n${list.join('\n')}`,
    ...(added.length === 0 ? [] : [`${commit} does not have:\n\n${added.map((what) => `- ${what}`).join('\n')}`]),
  ].join('\n\n');
}

/** The content of a report file: of one commit, or of two. */
export type Report = { readonly measured: Circumstances } & (
  | (Omit<Results, 'comparisons'> & { readonly results: Results['comparisons'] })
  | (Changes & { readonly against: string })
);

/** A report's commit, day and machine in a sentence. */
export function circumstancesOf(report: Report): string {
  const { date, commit, node, redis, cpu, cores, loadBefore, options } = report.measured;
  const of = 'against' in report ? `${report.against} and ${commit}` : commit;
  const took = 'seconds' in report ? Object.values(report.seconds).reduce((sum, one) => sum + one, 0) : null;
  const minutes = Math.ceil((took ?? 0) / 60);
  const command = `npm run bench${options === '' ? '' : ` -- ${options}`}`;
  return (
    `Measured at ${of ?? 'an unknown commit'} on ${date.slice(0, 10)} by \`${command}\`` +
    `${took === null ? '' : `, in ${minutes} minute${minutes === 1 ? '' : 's'}`}: ` +
    `${cpu}, ${cores} cores, Node ${node}, Redis ${redis}, load ${loadBefore.toFixed(1)} before it began.`
  );
}

/** Writes what was measured as JSON and gives the file's path. */
export async function writeReport(folder: string, report: Report): Promise<string> {
  await mkdir(folder, { recursive: true });
  const file = join(folder, `${report.measured.date.replace(/[:.]/g, '-')}.json`);
  await writeFile(file, `${JSON.stringify(report, null, 2)}\n`);
  return file;
}
