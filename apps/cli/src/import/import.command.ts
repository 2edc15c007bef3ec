import { ActivityService, SettlementService } from '@laurel/activity';
import { Command } from 'commander';
import { resolve } from 'node:path';
import type { Access } from '../application/access';
import type { CommandContext } from '../application/command-context';
import { openActivity, type OpenActivity } from '../application/open-activity';
import { runCommand } from '../application/run-command';
import { ActivityFile } from './activity-file';
import { checkFile, type FileSummary } from './check-file';
import { importFile } from './import-file';
import type { OutcomeCounts } from '../output/outcome-counts';

const help = `
Each line is one event as POST /activity/events takes it, for example
  {"userId":"42","action":"praise","subject":"article:7","occurredAt":"2026-11-20T08:12:01.123Z"}

The whole file is checked first: a bad line is named, and nothing is imported. Running it again changes nothing.

The outcomes are what Redis answered. Where an answer came too late, or its connection was lost, the call is sent again: what it
had granted is printed as duplicate, and its points are missing from the sum, but not from the leaderboards.

Nothing is settled while it runs; after it, a running app settles what is due, and refuses more for those periods.

Old activities are "closed" unless LAUREL_LATENESS_S reaches back to their periods and LAUREL_RETENTION keeps their
ledgers, e.g. LAUREL_LATENESS_S=1000000000 LAUREL_RETENTION=none.`;

/** `import <file>` */
export function importCommand(context: CommandContext): Command {
  return new Command('import')
    .summary('record the activities of a file')
    .description('Records the activities of a file, one JSON object a line (NDJSON), plain or compressed by gzip.')
    .argument('<file>', 'the file, or - for the standard input')
    .option('--json', 'print the outcomes as JSON instead of a table')
    .option('--dry-run', 'check the file against the app’s rules, and record nothing')
    .addHelpText('after', help)
    .action(async (path: string, { json = false, dryRun }: { json?: boolean; dryRun?: boolean }) => {
      if (dryRun) {
        const { activities, undated } = await inFile(path, context, 'reads', (_, summary) => Promise.resolve(summary));
        const text = `${activities.toLocaleString('en')} activities could be recorded: every line is good.`;
        context.terminal.out.write(`${json ? JSON.stringify({ activities, undated }) : text}\n`);
        return;
      }
      const counts = await runImport(path, context);
      const { out, err } = context.terminal;
      out.write(`${json ? JSON.stringify(counts) : counts.toTable()}\n`);
      if (counts.of('closed') > 0) {
        err.write(`Too old for every leaderboard: ${counts.of('closed').toLocaleString('en')}. See --help.\n`);
      }
    });
}

function runImport(path: string, context: CommandContext): Promise<OutcomeCounts> {
  const { terminal, signal } = context;
  return inFile(path, context, 'begins', (app, summary, file) => {
    const importing = (lost: AbortSignal) =>
      importFile(file, summary, app.get(ActivityService), terminal, AbortSignal.any([signal, lost]));
    // A running app would settle periods of long ago as soon as it sees them, and refuse the rest of the file.
    return app.get(SettlementService).whileNobodySettles(importing, { signal });
  });
}

/** Checks a file, and then works with it. */
async function inFile<Done>(
  path: string,
  context: CommandContext,
  access: Access,
  work: (app: OpenActivity, summary: FileSummary, file: ActivityFile) => Promise<Done>,
): Promise<Done> {
  const { terminal, stdin, env, signal } = context;
  // npm runs us in the project's folder and leaves in INIT_CWD where the operator is.
  const named = path === '-' ? path : resolve(env.INIT_CWD ?? '.', path);
  const file = await ActivityFile.open(named, stdin);
  try {
    return await runCommand(context, {
      open: () => openActivity(context, access),
      async work(app) {
        const summary = await checkFile(file, app.get(ActivityService), terminal, signal);
        if (summary.undated > 0) {
          terminal.err.write(
            `Without occurredAt: ${summary.undated.toLocaleString('en')}. They count as of now, and anew on another day.\n`,
          );
        }
        return work(app, summary, file);
      },
    });
  } finally {
    await file.close();
  }
}
