import { Command, Option } from 'commander';
import { Takeovers } from '../takeover/takeovers';
import type { CommandContext } from '../application/command-context';
import { CommandError } from '../errors/command-error';
import { migrateScores, type ScoreFlags, scoreHelp, withScoreOptions } from './migrate-scores';
import { cycles, redisRankKey } from './redis-rank-key';

interface Flags extends ScoreFlags {
  readonly cycle?: (typeof cycles)[number];
}

const help = `
A Leaderboard of redis-rank lies under its own key. Of a PeriodicLeaderboard, give the base key and its --cycle: it
takes over the board of the --period. redis-rank cuts days in the time zone of its process, which must be that of the
leaderboard. Of a matrix, or a cycle of your own, give the whole key.
${scoreHelp}`;

/** `migrate redis-rank <key>` */
export function redisRankCommand(context: CommandContext): Command {
  const command = new Command('redis-rank')
    .summary('take over a leaderboard of redis-rank')
    .description('Takes over the scores of a leaderboard of redis-rank.')
    .argument('<key>', 'the key that redis-rank was given')
    .addOption(new Option('--cycle <cycle>', 'of a PeriodicLeaderboard').choices(cycles))
    .addHelpText('after', help);
  return withScoreOptions(command).action((key: string, { cycle, ...flags }: Flags) => {
    if (cycle !== undefined && flags.leaderboard === undefined) {
      throw new CommandError(
        '--cycle goes with --leaderboard, whose period it takes: for a --board, give the whole key.',
      );
    }
    const { leaderboard = '', period } = flags;
    return migrateScores(
      {
        kind: 'redis-rank',
        keyFor: (app) =>
          cycle && app ? redisRankKey(key, cycle, app.get(Takeovers).periodOf({ leaderboard, period })) : key,
      },
      flags,
      context,
    );
  });
}
