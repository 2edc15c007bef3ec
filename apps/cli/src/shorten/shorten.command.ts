import { Ledgers } from '@laurel/activity/internals';
import { Command } from 'commander';
import type { CommandContext } from '../application/command-context';
import { openActivity } from '../application/open-activity';
import { runCommand } from '../application/run-command';

const help = `
What is begun by this version is stored so from its first day. Data of an earlier version stays as it is until you run this:
then ledgers of the days from the day after tomorrow on take half the memory, those of users of whom much is received are
spread over pages, and all tell since when each point stands, so that verify proves the times of boards too. Earlier days
keep their form until they expire. Nothing is rewritten, and recording goes on.

Run it when no instance of an earlier version is left, and none is to come back: such an instance does not start any more
(formatMismatch), and one that still ran in two days would count activities twice. Safe to repeat.`;

/** `shorten` */
export function shortenCommand(context: CommandContext): Command {
  return new Command('shorten')
    .summary('store what users do in half the memory, once after the update')
    .description('Stores the ledgers of days to come in half the memory.')
    .addHelpText('after', help)
    .action(async () => {
      const begun = await runCommand(context, {
        open: () => openActivity(context, 'changes'),
        async work(app) {
          const days: string[] = [];
          for (const { settings, forms } of app.get(Ledgers).all) {
            const day = await forms.begin();
            days.push(`${settings.prefix}: ledgers have the latest form${day === null ? '' : ` from ${day} on`}.\n`);
          }
          return days;
        },
      });
      context.terminal.out.write(begun.join(''));
    });
}
