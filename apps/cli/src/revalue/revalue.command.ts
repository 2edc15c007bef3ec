import { Revaluation } from '@laurel/reports';
import { Command } from 'commander';
import type { CommandContext } from '../application/command-context';
import { openActivity } from '../application/open-activity';
import { runCommand } from '../application/run-command';
import { CommandError } from '../errors/command-error';

const help = `
What was recorded on these days asks for what the rules in force give for it at its moment, and their limits judge it: open
boards move by the difference, owners' points too. Settled periods stay as they are, and so do adjustments. "simulate"
shows before what the points of a file would change; POST /activity/rules puts the file in force for what comes.

Recording goes on meanwhile. Safe to be interrupted, killed and repeated.`;

interface RevalueOptions {
  readonly from: string;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** `revalue --from <day>` */
export function revalueCommand(context: CommandContext): Command {
  const { terminal, signal } = context;
  return new Command('revalue')
    .summary('give what was recorded the points of the rules in force')
    .description('Gives what was recorded since a day the points of the rules in force, on every open board.')
    .requiredOption('--from <day>', 'the first day, such as 2026-11-01')
    .option('--yes', 'on a terminal: do it')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', help)
    .action(async ({ from, yes, json }: RevalueOptions) => {
      if (terminal.err.isTTY && !yes) throw new CommandError('It changes the points of users: --yes does it.');
      const report = await runCommand(context, {
        open: () => openActivity(context, 'changes'),
        work: (app) => app.get(Revaluation).run({ from, signal }),
        interrupted: () => 'Interrupted: what is done stays. Run it again: it goes on.',
      });
      const [users, changed, points] = [report.users, report.changed, report.points].map((n) => n.toLocaleString('en'));
      terminal.out.write(
        json
          ? `${JSON.stringify(report)}\n`
          : `Changed what ${changed} of ${users} users were granted, by ${points} points together.\n`,
      );
    });
}
