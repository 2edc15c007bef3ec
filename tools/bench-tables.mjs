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

const kept = existsSync(data) ? JSON.parse(readFileSync(data, 'utf8')) : {};

/** As JSON, with a line for each figure. */
function lines(value, depth = 0) {
  const indent = '  '.repeat(depth);
  if (depth > 2 || value === null || typeof value !== 'object') return JSON.stringify(value);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const items = Object.entries(value).map(([key, item]) => {
    return `${indent}  ${Array.isArray(value) ? '' : `${JSON.stringify(key)}: `}${lines(item, depth + 1)}`;
  });
  return items.length === 0 ? `${open}${close}` : `${open}\n${items.join(',\n')}\n${indent}${close}`;
}

/** The youngest report that has a row. */
const reportOf = (row) => [kept.run, ...(kept.since ?? [])].findLast(({ seconds }) => row in seconds);

/** Puts a report in its place. */
function take(report) {
  if ('against' in report) kept.against = report;
  else if (/(^| )--only[ =]/.test(report.measured.options)) {
    kept.since = [...(kept.since ?? []), report];
    kept.since = kept.since.filter((one) => Object.keys(one.seconds).some((row) => reportOf(row) === one));
  } else {
    kept.run = report;
    delete kept.since;
  }
  writeFileSync(data, `${lines(kept)}\n`);
}

const [option, named] = process.argv.slice(2);
if (option === '--write') {
  const folder = join(root, '.data/bench');
  const [newest] = existsSync(folder)
    ? readdirSync(folder)
        .filter((file) => file.endsWith('.json'))
        .sort()
        .reverse()
    : [];
  if (!named && !newest) throw new Error('There is no report under .data/bench: run `npm run bench` first.');
  take(JSON.parse(readFileSync(named ?? join(folder, newest), 'utf8')));
}
const { run, since = [], against } = kept;
const shown = new Set();

/** What stands between `<!-- bench: … -->` and `<!-- /bench -->`: the run, the comparison, or some rows' figures. */
function content(words) {
  if (words === 'run') return circumstancesOf(run);
  if (words === 'against')
    return against ? `${circumstancesOf(against)}\n\n${changesTableOf(against, against.against)}` : 'Not measured yet.';
  const names = words.split(' ');
  for (const name of names) shown.add(name);
  const isShown = (row, report) => names.includes(row) && reportOf(row) === report;
  const reports = [run, ...since];
  const comparisons = reports.flatMap((one) => one.results.filter(({ benchmark }) => isShown(benchmark, one)));
  const failures = reports.flatMap((one) => one.failures.filter(({ name }) => isShown(name, one)));
  if (comparisons.length + failures.length === 0) return 'Not measured yet.';
  const younger = since
    .map((report) => [names.filter((name) => isShown(name, report)), report])
    .filter(([rows]) => rows.length > 0)
    .map(([rows, report]) => `${rows.map((row) => `\`${row}\``).join(', ')}: ${circumstancesOf(report)}`);
  return [tableOf({ comparisons, failures }), ...younger].join('\n\n');
}

await fillPage('docs/benchmarks.md', 'bench', content);
const missing = [run, ...since].flatMap(({ seconds }) => Object.keys(seconds)).filter((name) => !shown.has(name));
if (missing.length > 0)
  throw new Error(
    `docs/benchmarks.md has no table for ${missing.join(', ')}: put \`<!-- bench: <row> -->\` where it belongs.`,
  );
