import type { Command } from 'commander';
import type { CommandContext } from '../application/command-context';
import { auditCommand, runAudit, type AuditFlags, type AuditRun } from './audit-command';

const help = `
Every entry of every open period is compared with the ledgers of its user, all in one step, so recording may go on: an
activity under way is never a difference. What is compared: points of boards and of tallies; when they were reached, as far
as ledgers bound it; entries without ledgers and ledgers without entries; entries kept off a board; the lists of users' days;
first days; what ledgers count for daily limits; and the windows of sliding limits, each place of which has its grant. As
each board equals the same ledgers, a user's week and month are the sums of the user’s days, as far as ledgers reach.

Not compared, as nothing tells it: closed and settled periods, which take no more activities while their ledgers may, and
those that a clock within LAUREL_CLOCK_SKEW_S of this one may have closed; when
exactly a score was reached, and that each grant has its place in a window, as a grant that is repeated moves its moment on;
first days before the ledgers that are left; what limits of the app's own keep. Rolling windows themselves are put together
anew within their refreshMs. With --leaderboard windows of limits are left out. Memory does not grow with the data. A
leaderboard that was added since is named as new: "rebuild" fills it. Ends with 1 where there is a difference.`;

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
