import type { Command } from 'commander';
import type { ReadContext } from '../application/long-read';
import { auditCommand } from './audit-command';

const help = `
Every entry of every open period is compared with the ledgers of its user, all in one step, so recording may go on: an
activity under way is never a difference. What is compared: points of boards and of tallies, entries without ledgers and
ledgers without entries, entries kept off a board, and the lists of users' days. As each board equals the same ledgers, the
sums of days, weeks and months agree.

Not compared: closed and settled periods, which take no more activities while their ledgers may; when a score was reached,
which ledgers do not tell exactly; windows of sliding limits; rolling windows, which are put together anew from the days
compared here. Memory does not grow with the data. Ends with 1 where there is a difference.`;

/** `verify` */
export function verifyCommand(context: ReadContext): Command {
  return auditCommand(context, {
    name: 'verify',
    summary: 'prove boards equal to their ledgers',
    description: 'Compares every open board with the ledgers that it is the sum of, and names each difference.',
    help,
    title: 'Verifying',
    run: (audits, options) => audits.verify(options),
    conclude: ({ differences }) => ({ text: '.', isFailed: differences > 0 }),
  });
}
