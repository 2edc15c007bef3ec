import { Command } from 'commander';
import { resolve } from 'node:path';
import type { CommandContext } from '../application/command-context';
import { writeMemberData } from './member-data';
import { migrateScores, type ScoreFlags, scoreHelp, withScoreOptions } from './migrate-scores';
import type { SourceRedis } from './source-redis';

interface Flags extends ScoreFlags {
  readonly memberData?: string;
  readonly memberDataKey?: string;
}

const help = `
A leaderboard of the gem is a sorted set under its name; competition and tie rankings too (ranking: \`competition\`, \`dense\`), whose
\`<name>:ties\` nothing here needs. A leaderboard with \`reverse: true\` becomes a --board with --order asc. Member data, a hash under
\`<name>:member_data\`, belongs in your USER_DIRECTORY: --member-data writes it to a file, a JSON object a line.
${scoreHelp}`;

/** `migrate agoragames <name>` */
export function agoragamesCommand(context: CommandContext): Command {
  const command = new Command('agoragames')
    .summary('take over a leaderboard of agoragames’ leaderboard gem')
    .description('Takes over the scores of a leaderboard of agoragames’ Ruby gem, or of its ports.')
    .argument('<name>', 'the name of the leaderboard')
    .option('--member-data <file>', 'write the member data to this file')
    .option('--member-data-key <key>', 'default: <name>:member_data; member_data where it is global')
    .addHelpText('after', help);
  return withScoreOptions(command).action((name: string, { memberData, memberDataKey, ...flags }: Flags) => {
    const also = async (source: SourceRedis): Promise<void> => {
      if (memberData === undefined) return;
      const path = resolve(context.env.INIT_CWD ?? '.', memberData);
      const count = await writeMemberData(source, memberDataKey ?? `${name}:member_data`, path);
      context.terminal.err.write(`Member data of ${count.toLocaleString('en')} members written to ${memberData}.\n`);
    };
    return migrateScores({ kind: 'agoragames', keyFor: () => name, also }, flags, context);
  });
}
