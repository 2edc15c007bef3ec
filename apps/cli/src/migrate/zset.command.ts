import { Command } from 'commander';
import type { CommandContext } from '../application/command-context';
import { migrateScores, type ScoreFlags, scoreHelp, withScoreOptions } from './migrate-scores';

/** `migrate zset <key>` */
export function zsetCommand(context: CommandContext): Command {
  const command = new Command('zset')
    .summary('take over a sorted set of your own')
    .description('Takes over the scores of a sorted set: its members are user ids.')
    .argument('<key>', 'the key of the sorted set')
    .addHelpText('after', scoreHelp);
  return withScoreOptions(command).action((key: string, flags: ScoreFlags) =>
    migrateScores({ kind: 'zset', keyFor: () => key }, flags, context),
  );
}
