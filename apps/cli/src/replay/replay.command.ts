import { ActivityService, SettlementService } from '@laurel/activity';
import { databaseIdOf, OutboxLog } from '@laurel/outbox';
import { Command } from 'commander';
import type { CommandContext } from '../application/command-context';
import { openDatabase } from '../application/database';
import { openActivity } from '../application/open-activity';
import { runCommand } from '../application/run-command';
import { CommandError } from '../errors/command-error';
import { momentFrom } from '../output/moment';
import { type OutcomeCounts } from '../output/outcome-counts';
import { replayEvents } from './replay-events';

const help = `
What a ledger has is a duplicate and changes nothing, also where a board has lost it: then "rebuild" restores the board. What
ledgers lost is given again, on every board that is still open. The app may run meanwhile. Without DATABASE_URL the private server in LAUREL_DATA_DIR is read.

It heals what the app wrote into its outbox and still keeps (LAUREL_OUTBOX_RETENTION_DAYS). Page visits, and activities
that other services sent, never were in it.

Nothing is settled while it runs.`;

interface ReplayOptions {
  readonly since: Date;
  readonly json?: boolean;
  readonly dryRun?: boolean;
}

/** `replay --since <moment>` */
export function replayCommand(context: CommandContext): Command {
  return new Command('replay')
    .summary('record the events of the outbox again')
    .description('Records again what the app wrote into its outbox since a moment: for a Redis that lost something.')
    .requiredOption('--since <moment>', 'such as 2026-11-01T00:00:00Z', momentFrom('--since'))
    .option('--json', 'print the outcomes as JSON instead of a table')
    .option('--dry-run', 'count them, and record nothing')
    .addHelpText('after', help)
    .action(async ({ since, json = false, dryRun }: ReplayOptions) => {
      const { out, err } = context.terminal;
      if (dryRun) {
        const events = await withLog(since, context, (log) => Promise.resolve(log.total));
        const text = `${events.toLocaleString('en')} events would be recorded again.`;
        out.write(`${json ? JSON.stringify({ events }) : text}\n`);
        return;
      }
      const counts = await withLog(since, context, (log, databaseId) => replayInto(log, context, databaseId));
      out.write(`${json ? JSON.stringify(counts) : counts.toTable()}\n`);
      if (counts.total > 0 && counts.of('duplicate') === counts.total) {
        err.write('Nothing but duplicates: that proves nothing of the boards. Run "verify".\n');
      }
    });
}

/** Works with what the outbox has kept since then. */
async function withLog<Done>(
  since: Date,
  context: CommandContext,
  work: (log: OutboxLog, databaseId: string) => Promise<Done>,
): Promise<Done> {
  const database = await openDatabase(context);
  try {
    const log = await OutboxLog.open(database.pool, since).catch((cause: unknown) => {
      throw new CommandError(
        'The database has no outbox: set DATABASE_URL to the database of an app that has been started.',
        {
          cause,
        },
      );
    });
    return await work(log, await databaseIdOf(database.pool));
  } finally {
    await database.close();
  }
}

function replayInto(log: OutboxLog, context: CommandContext, databaseId: string): Promise<OutcomeCounts> {
  const { terminal, signal } = context;
  return runCommand(context, {
    open: () => openActivity(context, 'begins', { databaseId }),
    work(app) {
      const activities = app.get(ActivityService);
      // Settlement would settle due periods at once, and close them to the rest.
      return app
        .get(SettlementService)
        .whileNobodySettles((lost) => replayEvents(log, activities, terminal, AbortSignal.any([signal, lost])), {
          signal,
        });
    },
  });
}
