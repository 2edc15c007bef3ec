import { Erasures } from '@laurel/activity';
import { Command } from 'commander';
import type { CommandContext } from '../application/command-context';
import { openActivity } from '../application/open-activity';
import { runCommand } from '../application/run-command';

const help = `
What comes of an erased user is refused for as long as anything of before the erasure may arrive. Run this for a person who
comes back under the same id. What was erased stays erased. Safe to repeat.`;

/** `readmit` */
export function readmitCommand(context: CommandContext): Command {
  const { terminal } = context;
  return new Command('readmit')
    .summary('let a user in again who was erased')
    .description('Lets a user in again who was erased.')
    .requiredOption('--user <id>', 'the user’s id')
    .addHelpText('after', help)
    .action(async ({ user }: { readonly user: string }) => {
      const were = await runCommand(context, {
        open: () => openActivity(context, 'changes'),
        work: (app) => app.get(Erasures).readmit(user),
      });
      const name = JSON.stringify(user);
      terminal.out.write(were ? `${name} may come in again.\n` : `${name} was not refused: nothing was changed.\n`);
    });
}
