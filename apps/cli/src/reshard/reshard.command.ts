import {
  LeaderboardError,
  Resharding,
  type RedisClient,
  type ReshardingOptions,
  type ReshardingPhase,
} from '@laurel/leaderboard';
import { Command } from 'commander';
import type { Cluster, Redis } from 'ioredis';
import type { ReadContext } from '../application/long-read';
import { openRedis } from '../application/open-redis';
import { CommandError, interruptedExitCode } from '../command-error';
import { startProgress, type Progress } from '../output/progress';
import type { Terminal } from '../output/terminal';
import { wholeFrom } from '../output/whole-number';

const help = `
Recording and reading go on. Everything is copied into the new shards while what is written meanwhile is noted; then
recording stops for a moment, usually well below a second, until that is copied, too. Running instances go on in the new
shards by themselves; configure LAUREL_SHARDS for those that start later. Nobody can be erased meanwhile, and Redis needs
memory for everything twice.

Where it was cut short, run it again: before the members are in their new shards it copies anew. If it was killed in the
moment in which recording stands still, recording does so until it is run again.`;

interface ReshardOptions {
  readonly shards: number;
  readonly from?: number;
  readonly grace: number;
}

const titles: Readonly<Record<ReshardingPhase, string>> = {
  counting: 'Counting',
  copying: 'Copying',
  sealing: 'Switching',
  waiting: 'Waiting',
  cleaning: 'Cleaning',
};

/** `reshard` */
export function reshardCommand(context: ReadContext): Command {
  const { terminal, env, signal } = context;
  return new Command('reshard')
    .summary('move everything to another number of shards')
    .description('Moves everything to another number of shards, online.')
    .requiredOption('--shards <number>', 'how many there are to be', wholeFrom(1, 1_024))
    .option(
      '--from <number>',
      'how many there must be now, or when it began; default: whatever it is',
      wholeFrom(1, 1_024),
    )
    .option(
      '--grace <seconds>',
      'how long the old shards are kept for instances that have not heard, which ask every 2 s',
      wholeFrom(3, 3_600),
      10,
    )
    .addHelpText('after', help)
    .action(async ({ shards, from, grace }: ReshardOptions) => {
      const redis = await openRedis(env, terminal);
      try {
        for (const prefix of await prefixes(redis.client, redis.prefix)) {
          await reshard(redis.client, { prefix, shards, graceMs: grace * 1_000, ...(from !== undefined && { from }) });
        }
        terminal.out.write(`Set LAUREL_SHARDS=${shards} for every instance that starts from now on.\n`);
      } catch (error) {
        if (signal.aborted) throw new CommandError('Interrupted. Run it again.', { exitCode: interruptedExitCode });
        if (error instanceof CommandError) throw error;
        const message = error instanceof Error ? error.message : String(error);
        const isRefused = error instanceof LeaderboardError && error.code !== 'unavailable';
        throw new CommandError(isRefused ? message : `${message} Running the command again goes on.`, { cause: error });
      } finally {
        await redis.close();
      }
    });

  async function reshard(client: RedisClient, options: ReshardingOptions): Promise<void> {
    const { prefix, shards } = options;
    if (await liesIn(client, prefix, shards)) {
      terminal.out.write(`${prefix}: lies in ${shards} shards.\n`);
      return;
    }
    const shown = new Shown(terminal);
    try {
      const onProgress = (phase: ReshardingPhase, done: number, total: number) => shown.tell(phase, done, total);
      const { from, to, copied, sealedMs } = await new Resharding(client, { ...options, onProgress, signal }).run();
      shown.end();
      terminal.out.write(
        `${prefix}: ${from} to ${to} shards, ${copied.toLocaleString('en')} entries and keys copied, ` +
          `recording stood still for ${Math.ceil(sealedMs)} ms.\n`,
      );
    } finally {
      shown.end();
    }
  }
}

/** One bar for each phase that takes its time. */
class Shown {
  private phase: ReshardingPhase | undefined;
  private progress: Progress | undefined;

  constructor(private readonly terminal: Terminal) {}

  tell(phase: ReshardingPhase, done: number, total: number): void {
    if (phase !== this.phase) {
      this.end();
      this.phase = phase;
      if (phase === 'copying' || phase === 'waiting')
        this.progress = startProgress(this.terminal, titles[phase], total);
      else this.terminal.err.write(`${titles[phase]}\n`);
    }
    this.progress?.update(done);
  }

  end(): void {
    this.progress?.stop();
    this.progress = undefined;
  }
}

/** The ledgers of the app: its own, and those of leaderboards that have one of theirs. */
async function prefixes(client: RedisClient, prefix: string): Promise<string[]> {
  const own = await client.exists(`{${prefix}}:layout`);
  if (own === 0) throw new CommandError(`There is no data under the prefix "${prefix}".`);
  const found = new Set([prefix]);
  const servers = client.isCluster ? (client as Cluster).nodes('master') : [client as Redis];
  for (const server of servers) {
    let cursor = '0';
    do {
      const [next, keys] = await server.scan(cursor, 'MATCH', `{${prefix}@*}:layout`, 'COUNT', 1_000);
      cursor = next;
      for (const key of keys) found.add(key.slice(1, key.indexOf('}')));
    } while (cursor !== '0');
  }
  return [...found];
}

/** Whether nothing is left to do. */
async function liesIn(client: RedisClient, prefix: string, shards: number): Promise<boolean> {
  const [stored, step] = await client.hmget(`{${prefix}}:layout`, 'shards', 'step');
  return step == null && stored === String(shards);
}
