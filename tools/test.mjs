// `npm test`: everything that proves the project. A step that fails shows what it printed and does not keep the others
// from running. The last line counts: each of Jest's tests, and each other step as one. `npm run check` is what takes a
// minute or two of it: all but the builds and the tests that need servers. With arguments, Jest alone runs, with these
// arguments (`npm test -- test/properties`).
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, constants, setPriority } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unexplainedSkips } from './skipped-tests.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const kept = join(root, '.data');
const { resolve } = createRequire(import.meta.url);
const given = process.argv.slice(2);
const isCheck = given[0] === '--check';

/** The executable of a package in node_modules. */
function bin(name, command = name) {
  const manifest = join(root, 'node_modules', name, 'package.json');
  const { bin: bins } = JSON.parse(readFileSync(manifest, 'utf8'));
  return resolve(join(dirname(manifest), typeof bins === 'string' ? bins : bins[command]));
}

const node = (...args) => ({ file: process.execPath, args });

/**
 * What `npm run check` keeps of the files that it has looked at each by itself, so that it looks at those that changed.
 */
const cache = (name) => join(kept, 'check', name);
const cached = (name) => (isCheck ? ['--cache', '--cache-location', cache(name), '--cache-strategy', 'content'] : []);

const servers = [['servers to test against', () => node('tools/prepare-servers.mjs'), { shown: true }]];
const pages = [['build of the pages', () => node('tools/build-web.mjs')]];
const sense = [
  ['types and lint', () => node(bin('oxlint'))],
  ['site of the documents', () => node(bin('typedoc'))],
  ['rooms and their arrows', () => node(bin('dependency-cruiser', 'depcruise'), 'apps', 'examples', 'libs', 'test')],
  ['nothing that nobody uses', () => node(bin('knip'), '--no-progress')],
];
const form = [
  ['generated files are fresh', () => node('tools/generate.mjs', '--check')],
  ['format', () => node(bin('prettier'), '--check', '.', ...cached('prettier'))],
  ['lint that knows no types', () => node(bin('eslint'), '.', ...cached('eslint'))],
];
const builds = [
  ['build of the apps', () => node('tools/build-apps.mjs')],
  ['build of the packages', () => node('tools/build-packages.mjs')],
];

/** Runs a command; returns its success and output. `shown` prints the output at once, `aside` lowers its priority. */
function run({ file, args }, { shown = false, aside = false } = {}) {
  return new Promise((done) => {
    const printed = [];
    const stdio = ['ignore', shown ? 'inherit' : 'pipe', shown ? 'inherit' : 'pipe'];
    const child = spawn(file, args, { cwd: root, stdio });
    if (aside && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => printed.push(chunk));
    child.on('error', (error) => done({ ok: false, output: error.message }));
    child.on('close', (code, signal) => {
      const output = Buffer.concat(printed).toString('utf8');
      done({ ok: code === 0, output: signal === null ? output : `${output}It was ended by ${signal}.` });
    });
  });
}

const counts = { passed: 0, failed: 0, skipped: 0 };
const failures = [];
/** How long each file of tests took, in milliseconds. */
const durations = [];

/** Whether suites that watch the clock run: what runs beside them takes what they leave of the machine. */
let isAlone = false;

/** Runs steps one after the other. */
async function runSteps(steps) {
  for (const [title, command, options] of steps) {
    const started = performance.now();
    const { ok, output } = await run(command(), { aside: isAlone, ...options });
    counts[ok ? 'passed' : 'failed']++;
    if (!ok) {
      failures.push(title);
      console.log(output.trimEnd());
    }
    console.log(`${ok ? 'ok    ' : 'FAILED'}  ${title}  (${((performance.now() - started) / 1000).toFixed(1)} s)`);
  }
}

if (isCheck) {
  const units = ['--selectProjects', 'unit', '--maxWorkers', '1'];
  await Promise.all([runSteps(sense).then(() => runTests('unit tests', units)), runSteps(form)]);
} else if (given.length > 0) {
  await runTests('tests', given);
} else {
  await runSteps([...servers, ...pages]);
  // Suites that hold answers against the clock have the machine to themselves, but for what only takes what they leave.
  const alone = [
    'test/browser/(?!states|odd)',
    'test/(faults|security)/',
    'test/community/(auth|faults)',
    'test/integration/activity/(exclusion-under-load|observers|redis-away|stream|titles)',
    'test/integration/outbox/',
  ];
  // Suites that only work, and wait for nobody: they take it, after the checks that need no server. Two of them at once
  // take what one suite that watches the clock leaves of two cores, and no more than that: their priority is low.
  const patient = ['(apps|libs)/\\w+/src/', 'test/properties/', 'test/integration/(packages|tools)/'];
  isAlone = true;
  const built = runSteps(builds);
  const beside = Promise.all([
    built.then(() => runSteps(sense)),
    // What is built first, suites of the packages need not build again.
    Promise.all([built, runSteps(form)]).then(() =>
      runTests('suites that only work', ['--maxWorkers', '2', '--', ...patient], { aside: isAlone }),
    ),
  ]);
  await runTests('suites that watch the clock', ['--maxWorkers', '1', '--', ...alone]);
  isAlone = false;
  // Suites wait for a server, a browser or a process of theirs about as long as they work: then another has the core.
  const workers = `${availableParallelism() + 2}`;
  await runTests('all others', ['--maxWorkers', workers, '--testPathIgnorePatterns', ...alone, ...patient]);
  await beside;
}

if (durations.length > 1) {
  const slowest = durations.sort((a, b) => b.ms - a.ms).slice(0, 15);
  console.log(
    `\nSlowest files:\n${slowest.map(({ file, ms }) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${file}`).join('\n')}`,
  );
}
if (failures.length > 0) console.log(`\nFailed:\n${failures.map((failure) => `  ${failure}`).join('\n')}`);
if (counts.skipped > 0) console.log(`${counts.skipped} skipped`);
console.log(`${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = counts.failed > 0 ? 1 : 0;

/** Runs Jest and counts its tests. */
async function runTests(title, choice, options = {}) {
  const resultsFile = join(kept, `test-results-${title.replaceAll(' ', '-')}.json`);
  mkdirSync(kept, { recursive: true });
  rmSync(resultsFile, { force: true });
  const started = performance.now();
  const jestArgs = ['--json', `--outputFile=${resultsFile}`, '--passWithNoTests', ...choice];
  const { ok, output } = await run(node(bin('jest'), ...jestArgs), { shown: true, ...options });
  countJest(resultsFile, ok, output);
  console.log(`${ok ? 'ok    ' : 'FAILED'}  ${title}  (${((performance.now() - started) / 1000).toFixed(1)} s)`);
}

function countJest(resultsFile, ok, output) {
  let results;
  try {
    results = JSON.parse(readFileSync(resultsFile, 'utf8'));
  } catch {
    counts.failed++;
    failures.push(`tests: Jest ended before it had run them. ${output}`.trimEnd());
    return;
  }
  counts.passed += results.numPassedTests;
  counts.skipped += results.numPendingTests + results.numTodoTests;
  // A suite that could not run at all, e.g. for an error outside its tests, counts as one failure.
  const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
  counts.failed += !ok && failed === 0 ? 1 : failed;
  for (const suite of results.testResults) {
    durations.push({ file: relative(root, suite.name), ms: suite.endTime - suite.startTime });
    for (const test of suite.assertionResults) if (test.status === 'failed') failures.push(`tests: ${test.fullName}`);
    if (suite.status === 'failed' && suite.assertionResults.length === 0) failures.push(`tests: ${suite.name}`);
  }
  if (!ok && failed === 0) failures.push('tests: Jest failed outside of any test');
  // A run of chosen names skips the other tests; a run of all tests must not skip one without a reason.
  if (given.length > 0) return;
  const lost = unexplainedSkips(results);
  counts.failed += lost.length;
  failures.push(...lost.map((name) => `skipped without a reason: ${name}`));
}
