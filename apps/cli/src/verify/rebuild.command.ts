import type { Command } from 'commander';
import type { CommandContext } from '../application/command-context';
import { auditCommand } from './audit-command';

const help = `
Everything that "verify" compares is put right in the same step in which it is compared: recording goes on meanwhile, and
nobody reads a board that is half done. An entry keeps its time; one that was missing, or whose time cannot be, gets the
latest moment in its ledgers, which is its own where nothing was repeated since. Entries without any ledger are removed, and
so are places in windows that no grant took. Safe to be interrupted, killed and repeated: each step is whole by itself, and a
repeated run begins at the beginning.

A settled board is final: a period that closes while this runs is left as it is from then on.

Ledgers cannot tell everything: where the first ledgers of a period are gone, entries are raised to what is left of them, and
never lowered; parts of a partitioned leaderboard stay as they are. Where ledgers are lost as well, "replay" records again
what the outbox keeps. Ends with 1 where differences are left.`;

/** `rebuild` */
export function rebuildCommand(context: CommandContext): Command {
  return auditCommand(context, {
    name: 'rebuild',
    summary: 'restore boards from their ledgers',
    description: 'Restores every open board from the ledgers that it is the sum of, while recording goes on.',
    help,
    title: 'Rebuilding',
    access: 'changes',
    run: (audits, options) => audits.rebuild(options),
    conclude: ({ differences, healed }) => ({
      text: `, ${healed.toLocaleString('en')} put right.`,
      isFailed: healed < differences,
    }),
  });
}
