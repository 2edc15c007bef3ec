import { LeaderboardError, Resharding, type RedisClient, type ReshardingOptions } from '@laurel/leaderboard';
import { type ReshardingPhase, scanKeys } from '@laurel/leaderboard/internals';
import { Command } from 'commander';
import type { CommandContext } from '../application/command-context';
import { openRedis, type OpenRedis } from '../application/open-redis';
import { nothingFound } from '../application/redis-target';
import { runCommand } from '../application/run-command';
import { CommandError } from '../errors/command-error';
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
  readonly dryRun?: boolean;
}

const titles: Readonly<Record<ReshardingPhase, string>> = {
  counting: 'Counting',
  copying: 'Copying',
  sealing: 'Switching',
  waiting: 'Waiting',
  cleaning: 'Cleaning',
};

/** `reshard` */
export function reshardCommand(context: CommandContext): Command {
  const { terminal, signal } = context;
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
    .option('--dry-run', 'say what lies in how many shards, and move nothing')
    .addHelpText('after', help)
    .action(({ shards, from, grace, dryRun }: ReshardOptions) =>
      runCommand(context, {
        open: () => openRedis(context, dryRun ? 'reads' : 'changes'),
        async work(redis) {
          const found = await prefixes(redis, signal);
          if (dryRun) return tellShards(redis.client, found, shards);
          for (const prefix of found) {
            await reshard(redis.client, {
              prefix,
              shards,
              graceMs: grace * 1_000,
              ...(from !== undefined && { from }),
            });
          }
          terminal.out.write(`Set LAUREL_SHARDS=${shards} for every instance that starts from now on.\n`);
        },
        interrupted: () => 'Interrupted. Run it again.',
      }),
    );

  async function tellShards(client: RedisClient, found: readonly string[], shards: number): Promise<void> {
    for (const prefix of found) {
      const stored = (await client.hget(`{${prefix}}:layout`, 'shards')) ?? '1';
      const isDone = await liesIn(client, prefix, shards);
      terminal.out.write(`${prefix}: lies in ${stored} shards${isDone ? '' : `, would be moved to ${shards}`}.\n`);
    }
  }

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
    } catch (error) {
      if (error instanceof LeaderboardError && error.code === 'unavailable') {
        throw new CommandError(`${error.message} Run the command again to continue.`, { cause: error });
      }
      throw error;
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
async function prefixes(redis: OpenRedis, signal: AbortSignal): Promise<string[]> {
  const { client, prefix } = redis;
  if ((await client.exists(`{${prefix}}:layout`)) === 0) throw nothingFound(redis);
  const found = new Set([prefix]);
  for await (const page of scanKeys(client, `{${prefix}@*}:layout`)) {
    signal.throwIfAborted();
    for (const key of page) found.add(key.slice(1, key.indexOf('}')));
  }
  return [...found];
}

/** Whether nothing is left to do. */
async function liesIn(client: RedisClient, prefix: string, shards: number): Promise<boolean> {
  const [stored, step] = await client.hmget(`{${prefix}}:layout`, 'shards', 'step');
  return step == null && stored === String(shards);
}
