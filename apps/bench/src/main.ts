import 'reflect-metadata';
import { startRedis } from '@laurel/servers';
import { Command, InvalidArgumentError } from 'commander';
import { Redis } from 'ioredis';
import { join } from 'node:path';
import { growthBench } from './engine/growth.bench';
import { redisRankBench } from './engine/redis-rank.bench';
import { shardsBench } from './engine/shards.bench';
import type { Benchmark } from './harness/context';
import { linesOf, machineOf, tableOf, writeReport } from './harness/report';
import { runBenchmarks } from './harness/run-benchmarks';
import { ledgerMemoryBench } from './memory/ledger-memory.bench';
import { estimateRankBench } from './reading/estimate-rank.bench';
import { ranksRouteBench } from './reading/ranks-route.bench';
import { titlesBench } from './reading/titles.bench';
import { topLatencyBench } from './reading/top-latency.bench';
import { limitsBench } from './recording/limits.bench';
import { partitionsBench } from './recording/partitions.bench';
import { redisCpuBench } from './recording/redis-cpu.bench';
import { talliesBench } from './recording/tallies.bench';
import { throughputBench } from './recording/throughput.bench';
import { settleBench } from './settling/settle.bench';

const benchmarks: readonly Benchmark[] = [
  redisCpuBench,
  limitsBench,
  throughputBench,
  topLatencyBench,
  ranksRouteBench,
  titlesBench,
  talliesBench,
  partitionsBench,
  estimateRankBench,
  ledgerMemoryBench,
  growthBench,
  shardsBench,
  redisRankBench,
  settleBench,
];

interface Options {
  readonly only?: readonly string[];
  readonly members: readonly number[];
  readonly rounds: number;
  readonly quick: boolean;
}

const program = new Command('bench')
  .description('Benchmarks, each beside its baseline in the same run: a table here, JSON under .data/bench/.')
  .option('--only <names>', `some of ${benchmarks.map(({ name }) => name).join(', ')}`, namesFrom)
  .option('--members <counts>', 'sizes of boards, such as 10k,100k,1M', countsFrom, [10_000, 100_000, 1_000_000])
  .option('--rounds <n>', 'rounds that count', wholeFrom, 7)
  .option('--quick', 'short rounds, to try the benchmarks out', false)
  .action(run);

async function run({ only, members, rounds, quick }: Options): Promise<void> {
  const chosen = benchmarks.filter(({ name }) => !only || only.includes(name));
  const results = await runBenchmarks(chosen, {
    memberCounts: members,
    rounds,
    isQuick: quick,
    say: (line) => process.stderr.write(`${line}\n`),
    report: (done) => {
      for (const comparison of done) console.log(linesOf(comparison));
    },
  });
  console.log(`\n${tableOf(results)}\n`);
  const stamp = new Date().toISOString().replace(/[:.]/g, '-');
  console.log(`Also in ${await writeReport(join('.data', 'bench'), stamp, machineOf(await redisVersion()), results)}`);
  const { failures } = results;
  if (failures.length === 0) return;
  console.error(
    `${failures.length} of ${chosen.length} benchmarks failed: ${failures.map(({ name }) => name).join(', ')}.`,
  );
  // What a failed benchmark left open must not keep the process alive.
  process.exit(1);
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
