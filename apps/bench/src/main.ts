import 'reflect-metadata';
import { startRedis } from '@laurel/servers';
import { Command, InvalidArgumentError } from 'commander';
import { Redis } from 'ioredis';
import { clusterBench } from './cluster/cluster.bench';
import { growthBench } from './engine/growth.bench';
import { redisRankBench } from './engine/redis-rank.bench';
import { shardsBench } from './engine/shards.bench';
import { runAgainst } from './harness/against';
import { checkOut, commitOf } from './harness/checkout';
import { type Benchmark, reportFolder } from './harness/context';
import { changesTableOf, linesOf, machineOf, tableOf, writeReport, type Circumstances } from './harness/report';
import { runRow, type Program } from './harness/row-process';
import { noResults, runBenchmark, together, type Results } from './harness/run-benchmark';
import type { Comparison } from './harness/sample';
import { streamsBench } from './live/streams.bench';
import { crowdedBench } from './memory/crowded.bench';
import { memoryBench } from './memory/memory.bench';
import { eraseBench } from './moderation/erase.bench';
import { operatorsBench } from './operating/operators.bench';
import { reshardBench } from './operating/reshard.bench';
import { estimateRankBench } from './reading/estimate-rank.bench';
import { ranksRouteBench } from './reading/ranks-route.bench';
import { titlesBench } from './reading/titles.bench';
import { topLatencyBench } from './reading/top-latency.bench';
import { bulkBench } from './recording/bulk.bench';
import { instructionsBench } from './recording/instructions.bench';
import { limitsBench } from './recording/limits.bench';
import { nodeCpuBench } from './recording/node-cpu.bench';
import { partitionsBench } from './recording/partitions.bench';
import { redisCpuBench } from './recording/redis-cpu.bench';
import { talliesBench } from './recording/tallies.bench';
import { throughputBench } from './recording/throughput.bench';
import { archiveBench } from './settling/archive.bench';
import { settleBench } from './settling/settle.bench';

const benchmarks: readonly Benchmark[] = [
  redisCpuBench,
  instructionsBench,
  limitsBench,
  throughputBench,
  nodeCpuBench,
  bulkBench,
  topLatencyBench,
  ranksRouteBench,
  streamsBench,
  titlesBench,
  talliesBench,
  partitionsBench,
  estimateRankBench,
  memoryBench,
  crowdedBench,
  eraseBench,
  growthBench,
  shardsBench,
  clusterBench,
  redisRankBench,
  settleBench,
  archiveBench,
  operatorsBench,
  reshardBench,
];

interface Options {
  readonly only?: readonly string[];
  readonly members?: readonly number[];
  readonly rounds?: number;
  readonly quick: boolean;
  readonly full: boolean;
  readonly against?: string;
}

const program = new Command('bench')
  .description('Benchmarks, each beside its baseline in the same run: a table here, JSON under .data/bench/.')
  .option('--only <names>', `some of ${benchmarks.map(({ name }) => name).join(', ')}`, namesFrom)
  .option('--members <counts>', 'sizes of boards, such as 10k,100k,1M (default: as each row has them)', countsFrom)
  .option('--rounds <n>', 'rounds that count (default: as each row has them)', wholeFrom)
  .option('--quick', 'short rounds, to try the benchmarks out', false)
  .option('--full', 'every row with 10k, 100k and 1M members and seven rounds', false)
  .option('--against <commit>', 'runs that commit and this one in turn, and prints what became slower')
  .action(run);

const say = (line: string) => process.stderr.write(`${line}\n`);
const rowTimeoutMs = 30 * 60_000;

async function run(options: Options): Promise<void> {
  const chosen = benchmarks.filter(({ name }) => !options.only || options.only.includes(name));
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => interrupted.abort(new Error(`Ended by ${signal}.`)));
  const failures =
    options.against === undefined
      ? await measure(chosen, options, interrupted.signal)
      : await compareWith(options.against, chosen, options, interrupted.signal);
  if (failures.length === 0) return;
  const names = failures.map(({ name }) => name).join(', ');
  console.error(`${failures.length} of ${chosen.length} benchmarks failed: ${names}.`);
  // A failed benchmark may have left connections open: they must not keep the process alive.
  process.exit(1);
}

/** Runs the rows, each in a process of its own: a single one is measured here. */
async function measure(
  rows: readonly Benchmark[],
  options: Options,
  signal: AbortSignal,
): Promise<Results['failures']> {
  const measured = await circumstances();
  const report = (done: readonly Comparison[]) => {
    for (const comparison of done) console.log(linesOf(comparison));
  };
  const [first, ...others] = rows;
  let results = noResults;
  if (first && others.length === 0) results = await runBenchmark(first, { ...settingOf(first, options), report, say });
  else
    for (const row of rows) {
      const args = argsOf(row, options);
      const write = (text: string) => process.stderr.write(text);
      const done = await runRow(thisProgram(), row, { args, say: write, timeoutMs: rowTimeoutMs, signal });
      report(done.comparisons);
      results = together(results, done);
    }
  console.log(`\n${tableOf(results)}\n`);
  if (options.quick) say('Short rounds: they try the benchmarks out, and a target that is "not reached" says little.');
  if (measured.loadBefore > 1) say('Other programs were running: repeat what is "not reached" on a quiet machine.');
  const { comparisons, failures, seconds } = results;
  console.log(`Also in ${await writeReport(reportFolder, { measured, results: comparisons, failures, seconds })}`);
  return failures;
}

async function compareWith(
  name: string,
  rows: readonly Benchmark[],
  options: Options,
  signal: AbortSignal,
): Promise<Results['failures']> {
  const measured = await circumstances();
  const checkout = await checkOut(__dirname, name, say);
  const { commit, program: before } = checkout;
  try {
    const changes = await runAgainst(rows, {
      ...{ before, after: thisProgram(), rounds: options.rounds ?? 7, say, signal, timeoutMs: rowTimeoutMs },
      argsOf: (row) => argsOf(row, { ...options, rounds: 1 }),
    });
    console.log(`\n${changesTableOf(changes, commit)}\n`);
    console.log(`Also in ${await writeReport(reportFolder, { measured, against: commit, ...changes })}`);
    return changes.failures;
  } finally {
    await checkout.remove();
  }
}

/** How this process was started, without its options. */
function thisProgram(): Program {
  return [process.execPath, ...process.execArgv, __filename];
}

function settingOf(row: Benchmark, { members, rounds, quick, full }: Options) {
  const usual = { members: row.members ?? [10_000], rounds: row.rounds ?? 5 };
  const wanted = full ? { members: [10_000, 100_000, 1_000_000], rounds: 7 } : usual;
  return { memberCounts: members ?? wanted.members, rounds: rounds ?? wanted.rounds, isQuick: quick };
}

/** The same, for the command in a process of its own. */
function argsOf(row: Benchmark, options: Options): string[] {
  const { memberCounts, rounds, isQuick } = settingOf(row, options);
  return ['--members', memberCounts.join(','), '--rounds', String(rounds), ...(isQuick ? ['--quick'] : [])];
}

async function circumstances(): Promise<Circumstances> {
  const here = await commitOf(__dirname);
  return {
    date: new Date().toISOString(),
    commit: here && `${here.commit}${here.isChanged ? ' and changes' : ''}`,
    ...machineOf(),
    redis: await redisVersion(),
    options: process.argv.slice(2).join(' '),
  };
}

async function redisVersion(): Promise<string> {
  const server = await startRedis();
  const redis = new Redis(server.url);
  const [, version = 'unknown'] = /^redis_version:(\S+)/m.exec(await redis.info('server')) ?? [];
  redis.disconnect();
  await server.stop();
  return version;
}

function namesFrom(text: string): string[] {
  const names = text.split(',');
  const unknown = names.find((name) => !benchmarks.some((benchmark) => benchmark.name === name));
  if (unknown === undefined) return names;
  throw new InvalidArgumentError(
    `There is no "${unknown}": there are ${benchmarks.map(({ name }) => name).join(', ')}.`,
  );
}

function countsFrom(text: string): number[] {
  return text.split(',').map((count) => {
    const [, digits, unit = ''] = /^(\d{1,7})([kM]?)$/.exec(count) ?? [];
    if (digits === undefined) throw new InvalidArgumentError(`"${count}" is no count: write 10000, 10k or 1M.`);
    return Number(digits) * { '': 1, k: 1_000, M: 1_000_000 }[unit as '' | 'k' | 'M'];
  });
}

function wholeFrom(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Use a whole number from 1.');
}

void program.parseAsync();
