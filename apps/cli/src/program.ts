import { Command } from 'commander';
import { resolve } from 'node:path';
import type { CommandContext } from './application/command-context';
import { type FoundConfig, readConfig } from './config/read-config';
import { doctorCommand } from './doctor/doctor.command';
import { eraseCommand } from './erase/erase.command';
import { exportCommand } from './export/export.command';
import { importCommand } from './import/import.command';
import { mergeCommand } from './merge/merge.command';
import { migrateCommand } from './migrate/migrate.command';
import { pruneCommand } from './prune/prune.command';
import { readmitCommand } from './readmit/readmit.command';
import { replayCommand } from './replay/replay.command';
import { reshardCommand } from './reshard/reshard.command';
import { revalueCommand } from './revalue/revalue.command';
import { ringsCommand } from './rings/rings.command';
import { settleCommand } from './settle/settle.command';
import { simulateCommand } from './simulate/simulate.command';
import { userDataCommand } from './user-data/user-data.command';
import { rebuildCommand } from './verify/rebuild.command';
import { verifyCommand } from './verify/verify.command';

/** The operators' commands. */
export function createProgram(given: Omit<CommandContext, 'config'>): Command {
  const program = new Command('laurel');
  let config: Promise<FoundConfig> | undefined;
  const context: CommandContext = {
    ...given,
    config: () => (config ??= readConfig(program.opts<{ readonly config?: string }>().config)),
  };
  return (
    program
      .description('Operators’ commands of Laurel, on the data of any app that uses it.')
      // npm runs us in the project's folder and leaves in INIT_CWD where the operator is.
      .option('--config <file>', 'default: laurel.config.ts, .js, .json …, if there is one', (path) =>
        resolve(given.env.INIT_CWD ?? '.', path),
      )
      .configureOutput({
        writeOut: (text) => context.terminal.out.write(text),
        writeErr: (text) => context.terminal.err.write(text),
      })
      .showHelpAfterError('Run with --help for the options.')
      .addHelpText(
        'after',
        '\nlaurel.config.ts may say as options of ActivityModule where the data lies, and what only the app’s code has.\n' +
          'Environment: REDIS_URL, REDIS_CLUSTER_NODES or REDIS_SENTINELS (with REDIS_PASSWORD, REDIS_TLS, …: see the README),\n' +
          'and LAUREL_PREFIX, say where the data lies. Time zone, week start, shards, leaderboards and rules are taken from\n' +
          'there; a variable that contradicts them is refused.\n' +
          'Ends with 0 where all is well, 1 where it is not, 2 where nothing is stored there, 130 where it was interrupted.',
      )
      .addCommand(doctorCommand(context))
      .addCommand(eraseCommand(context))
      .addCommand(exportCommand(context))
      .addCommand(importCommand(context))
      .addCommand(mergeCommand(context))
      .addCommand(migrateCommand(context))
      .addCommand(pruneCommand(context))
      .addCommand(readmitCommand(context))
      .addCommand(rebuildCommand(context))
      .addCommand(replayCommand(context))
      .addCommand(reshardCommand(context))
      .addCommand(revalueCommand(context))
      .addCommand(ringsCommand(context))
      .addCommand(settleCommand(context))
      .addCommand(simulateCommand(context))
      .addCommand(userDataCommand(context))
      .addCommand(verifyCommand(context))
  );
}
