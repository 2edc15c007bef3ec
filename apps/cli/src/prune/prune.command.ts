import { SettlementService } from '@laurel/activity';
import { ArchivePruning, type ExpiredPeriod, type LeaderboardRetention } from '@laurel/archive';
import { systemClock } from '@laurel/leaderboard';
import { settlementEnvironment } from '@laurel/settings';
import { Command } from 'commander';
import type { CommandContext } from '../application/command-context';
import { openDatabase } from '../application/database';
import { openActivity } from '../application/open-activity';
import { runCommand } from '../application/run-command';
import { CommandError, interruptedExitCode } from '../errors/command-error';

const help = `
LAUREL_ARCHIVE_RETENTION says how many days after its end a settled period stays, by leaderboard, such as
day=400,week=1830,month=none. In Redis a leaderboard that is not named keeps a day 400 days and a longer period 1,830, and
none goes before its board's own retention (LAUREL_RETENTION) ends; in PostgreSQL all are kept.

PostgreSQL keeps a leaderboard's periods that end in one month in one table, which is dropped once none of them is kept: a
period stays for up to a month longer. Readers wait for half a second at most.`;

interface PruneFlags {
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** `prune` */
export function pruneCommand(context: CommandContext): Command {
  return new Command('prune')
    .summary('drop settled periods that are past their retention')
    .description('Drops settled periods that are past their retention, from the archive or from Redis.')
    .option('--dry-run', 'say which, and drop nothing')
    .option('--json', 'print JSON: a period a line')
    .addHelpText('after', help)
    .action((flags: PruneFlags) =>
      runCommand(context, {
        open: () => openActivity(context, 'changes'),
        async work(app) {
          const service = app.get(SettlementService);
          if (await service.archivesElsewhere()) return pruneDatabase(context, flags);
          tell(context, (await service.prune({ isDryRun: flags.dryRun ?? false })) ?? [], flags);
        },
      }),
    );
}

async function pruneDatabase(context: CommandContext, flags: PruneFlags): Promise<void> {
  const { env, signal } = context;
  const kept = keptFor(env);
  const database = await openDatabase(context);
  try {
    const pruning = await ArchivePruning.plan(database.pool, kept, systemClock.now()).catch((cause: unknown) => {
      const advice = 'set DATABASE_URL to the database of an app that has been started';
      throw new CommandError(`The database has no archive of settled periods: ${advice}.`, { cause });
    });
    const gone: ExpiredPeriod[] = [];
    if (flags.dryRun) gone.push(...pruning.periods);
    else
      for await (const periods of pruning.run()) {
        gone.push(...periods);
        if (signal.aborted) break;
      }
    tell(context, gone, flags);
    if (signal.aborted) throw new CommandError('Interrupted: run it again.', { exitCode: interruptedExitCode });
  } finally {
    await database.close();
  }
}

function keptFor(env: NodeJS.ProcessEnv): readonly LeaderboardRetention[] {
  const { archiveRetentionMs } = settlementEnvironment(env);
  const kept = Object.entries(archiveRetentionMs ?? {}).flatMap(([leaderboard, ms]: [string, number | null]) =>
    ms === null ? [] : [{ leaderboard, ms }],
  );
  if (kept.length > 0) return kept;
  throw new CommandError(
    'LAUREL_ARCHIVE_RETENTION names no leaderboard with a number of days, and PostgreSQL keeps what is not named: ' +
      'set it to such as day=400,week=1830.',
  );
}

function tell(
  { terminal: { out } }: CommandContext,
  periods: readonly ExpiredPeriod[],
  { dryRun, json }: PruneFlags,
): void {
  for (const { leaderboard, period, total } of periods) {
    const text = `${leaderboard} ${period}: ${total.toLocaleString('en')} entries`;
    out.write(`${json ? JSON.stringify({ leaderboard, period, total, dropped: !dryRun }) : text}\n`);
  }
  if (json) return;
  const count = periods.length.toLocaleString('en');
  out.write(dryRun ? `${count} periods would be dropped.\n` : `${count} periods dropped.\n`);
}
