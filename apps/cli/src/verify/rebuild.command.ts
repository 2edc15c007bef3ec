import type { Command } from 'commander';
import type { ReadContext } from '../application/long-read';
import { auditCommand } from './audit-command';

const help = `
Every entry is compared with the ledgers of its user, and put right in the same step where it is not what they add up to:
recording goes on meanwhile, and nobody reads a board that is half done. An entry keeps its time; one that was missing gets
the latest moment in its ledgers. Entries without any ledger are removed. Safe to repeat, and to be interrupted.

Ledgers cannot tell everything: where the first ledgers of a period are gone, entries are raised to what is left of them, and
never lowered; parts of a partitioned leaderboard stay as they are. Where ledgers are lost as well, "replay" records again what the outbox keeps. Ends with 1 where differences are left.`;

/** `rebuild` */
export function rebuildCommand(context: ReadContext): Command {
  return auditCommand(context, {
    name: 'rebuild',
    summary: 'restore boards from their ledgers',
    description: 'Restores every open board from the ledgers that it is the sum of, while recording goes on.',
    help,
    title: 'Rebuilding',
    run: (audits, options) => audits.rebuild(options),
    conclude: ({ differences, healed }) => ({
      text: `, ${healed.toLocaleString('en')} put right.`,
      isFailed: healed < differences,
    }),
  });
}
