import type { Command } from 'commander';
import type { CommandContext } from '../application/command-context';
import { auditCommand, runAudit, type AuditFlags, type AuditRun } from './audit-command';

const help = `
Every entry of every open period is compared with the ledgers of its user, all in one step, so recording may go on: an
activity under way is never a difference. What is compared: points of boards and of tallies, which are what the ledgers
give by the rules, limits and adjustments; when they were reached; entries without ledgers and ledgers without entries; entries
kept off a board; first days. As each board equals the same ledgers, a user's week and month are the sums of the user's days.

Not compared: closed and settled periods, which take no more activities while their ledgers may, and those that a clock within
LAUREL_CLOCK_SKEW_S of this one may have closed; first days before the ledgers that are left. Where the first ledgers of a
period are gone, points are compared to be at least what is left, and times are not. Rolling windows are put together anew
within their refreshMs. Memory does not grow with the data. A leaderboard that was added since is named as new: "rebuild" fills
it. Ends with 1 where there is a difference.`;

/** The work of `verify`. */
export const verifyRun: AuditRun = {
  title: 'Verifying',
  access: 'reads',
  run: (audits, options) => audits.verify(options),
  conclude: ({ differences }) => ({ text: '.', isFailed: differences > 0 }),
};

/** `verify` */
export function verifyCommand(context: CommandContext): Command {
  return auditCommand('verify')
    .summary('prove boards equal to their ledgers')
    .description('Compares every open board with the ledgers that it is the sum of, and names each difference.')
    .addHelpText('after', help)
    .action(async (flags: AuditFlags) => {
      await runAudit(context, verifyRun, flags);
    });
}
