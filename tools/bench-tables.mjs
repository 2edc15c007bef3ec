// Writes the tables of docs/benchmarks.md from docs/benchmarks.json, so that each names its commit, day and machine.
// `--write [report]` first takes the newest report under .data/bench, or that one, into docs/benchmarks.json: a run of
// all rows takes the place of the run before, one of some rows (`--only`) stands in for these rows until the next run
// of all, a comparison of two commits takes the place of the comparison before.
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fillPage, root } from './pages.mjs';

const data = join(root, 'docs/benchmarks.json');

// As the command prints them.
const require = createRequire(import.meta.url);
require('./register-typescript.cjs');
const { changesTableOf, circumstancesOf, tableOf } = require('../apps/bench/src/harness/report.ts');

/** The reports whose figures are shown, in their order. */
let kept = existsSync(data) ? JSON.parse(readFileSync(data, 'utf8')) : [];
/** The youngest report that has a row. */
const reportOf = (row) => kept.findLast(({ seconds }) => seconds && row in seconds);
const newestOf = (isOne) => kept.findLast(isOne);
const isComparison = (report) => 'against' in report;
const isWhole = (report) => !isComparison(report) && !/(^| )--only[ =]/.test(report.measured.options);

const [option, named] = process.argv.slice(2);
if (option === '--write') {
  const folder = join(root, '.data/bench');
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.json')) : [];
  if (!named && files.length === 0) throw new Error('There is no report under .data/bench: run `npm run bench` first.');
  kept.push(JSON.parse(readFileSync(named ?? join(folder, files.sort().at(-1)), 'utf8')));
  kept = kept.filter(
    (one) =>
      [isWhole, isComparison].some((isOne) => newestOf(isOne) === one) ||
      Object.keys(one.seconds ?? {}).some((row) => reportOf(row) === one),
  );
  writeFileSync(data, `[\n${kept.map((report) => JSON.stringify(report)).join(',\n')}\n]\n`);
}
const [run, against] = [newestOf(isWhole), newestOf(isComparison)];
const reports = kept.filter((report) => !isComparison(report));
const shown = new Set();

/** What stands between `<!-- bench: … -->` and `<!-- /bench -->`: the run, the comparison, or some rows' figures. */
function content(words) {
  if (words === 'run') return circumstancesOf(run);
  if (words === 'against')
    return against ? `${circumstancesOf(against)}\n\n${changesTableOf(against, against.against)}` : 'Not measured yet.';
  const names = words.split(' ');
  for (const name of names) shown.add(name);
  const isShown = (row, report) => names.includes(row) && reportOf(row) === report;
  const comparisons = reports.flatMap((one) => one.results.filter(({ benchmark }) => isShown(benchmark, one)));
  const failures = reports.flatMap((one) => one.failures.filter(({ name }) => isShown(name, one)));
  if (comparisons.length + failures.length === 0) return 'Not measured yet.';
  const younger = reports
    .filter((report) => report !== run)
    .map((report) => [names.filter((name) => isShown(name, report)), report])
    .filter(([rows]) => rows.length > 0)
    .map(([rows, report]) => `${rows.map((row) => `\`${row}\``).join(', ')}: ${circumstancesOf(report)}`);
  return [tableOf({ comparisons, failures }), ...younger].join('\n\n');
}

await fillPage('docs/benchmarks.md', 'bench', content);
const missing = reports.flatMap(({ seconds }) => Object.keys(seconds)).filter((name) => !shown.has(name));
if (missing.length > 0)
  throw new Error(`docs/benchmarks.md has no table for ${missing.join(', ')}: put \`<!-- bench: <row> -->\` there.`);
