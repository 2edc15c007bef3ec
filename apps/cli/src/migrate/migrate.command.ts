import { Command } from 'commander';
import type { CommandContext } from '../application/command-context';
import { agoragamesCommand } from './agoragames.command';
import { paicodingCommand } from './paicoding/paicoding.command';
import { redisRankCommand } from './redis-rank.command';
import { zsetCommand } from './zset.command';

/** `migrate <source>` */
export function migrateCommand(context: CommandContext): Command {
  const sources = [zsetCommand, redisRankCommand, agoragamesCommand, paicodingCommand];
  const migrate = new Command('migrate')
    .summary('take over what another leaderboard counted')
    .description(
      'Takes over what another leaderboard on Redis counted, as often as need be, while its app still writes.',
    );
  for (const source of sources) migrate.addCommand(source(context));
  return migrate;
}
