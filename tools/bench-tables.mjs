// Writes the tables of docs/benchmarks.md from docs/benchmarks.json, so that each names its commit, day and machine.
// `--write [report]` first takes the newest report under .data/bench, or that one, into docs/benchmarks.json: a run of
// all rows takes the place of the run before, one of some rows (`--only`) stands in for these rows until the next run
// of all, a comparison of two commits takes the place of the comparison before. `--check` writes nothing and fails
// where the page is stale.
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import prettier from 'prettier';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const page = join(root, 'docs/benchmarks.md');
const data = join(root, 'docs/benchmarks.json');

// As the command prints them.
const require = createRequire(import.meta.url);
require('./register-typescript.cjs');
const { changesTableOf, circumstancesOf, tableOf } = require('../apps/bench/src/harness/report.ts');

function newestReport() {
  const folder = join(root, '.data/bench');
  const newest =
    existsSync(folder) &&
    readdirSync(folder)
      .filter((file) => file.endsWith('.json'))
      .sort()
      .at(-1);
  if (!newest) throw new Error('There is no report under .data/bench: run `npm run bench` first.');
  return join(folder, newest);
}

/** As JSON, with a line for each figure. */
function lines(value, depth = 0) {
  const indent = '  '.repeat(depth);
  if (depth > 2 || value === null || typeof value !== 'object') return JSON.stringify(value);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const items = Object.entries(value).map(([key, item]) => {
    return `${indent}  ${Array.isArray(value) ? '' : `${JSON.stringify(key)}: `}${lines(item, depth + 1)}`;
  });
  return items.length === 0 ? `${open}${close}` : `${open}\n${items.join(',\n')}\n${indent}${close}`;
}

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
}

/** The youngest report that has a row. */
function reportOf(row) {
  return [kept.run, ...(kept.since ?? [])].findLast(({ seconds }) => row in seconds);
}

const kept = existsSync(data) ? JSON.parse(readFileSync(data, 'utf8')) : {};
const [option, named] = process.argv.slice(2);
if (option === '--write') {
  const report = JSON.parse(readFileSync(named ?? newestReport(), 'utf8'));
  take(report);
  writeFileSync(data, `${lines(kept)}\n`);
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
  const reports = [run, ...since];
  const isShown = (row, report) => names.includes(row) && reportOf(row) === report;
  const comparisons = reports.flatMap((one) => one.results.filter(({ benchmark }) => isShown(benchmark, one)));
  const failures = reports.flatMap((one) => one.failures.filter(({ name }) => isShown(name, one)));
  if (comparisons.length + failures.length === 0) return 'Not measured yet.';
  const younger = since.flatMap((report) => {
    const rows = names.filter((name) => isShown(name, report));
    return rows.length === 0 ? [] : [`${rows.map((row) => `\`${row}\``).join(', ')}: ${circumstancesOf(report)}`];
  });
  return [tableOf({ comparisons, failures }), ...younger].join('\n\n');
}

const before = readFileSync(page, 'utf8');
const filled = before.replace(
  /(<!-- bench: (.+?) -->\n)[^]*?(<!-- \/bench -->)/g,
  (_, start, words, end) => `${start}\n${content(words)}\n\n${end}`,
);
const rows = new Set([run, ...since].flatMap(({ seconds }) => Object.keys(seconds)));
const missing = [...rows].filter((name) => !shown.has(name));
if (missing.length > 0)
  throw new Error(
    `docs/benchmarks.md has no table for ${missing.join(', ')}: put \`<!-- bench: <row> -->\` where it belongs.`,
  );
const text = await prettier.format(filled, { ...(await prettier.resolveConfig(page)), parser: 'markdown' });
if (!process.argv.includes('--check')) writeFileSync(page, text);
else if (text !== before) {
  console.error('docs/benchmarks.md is stale: run `npm run generate` and commit it.');
  process.exit(1);
}
