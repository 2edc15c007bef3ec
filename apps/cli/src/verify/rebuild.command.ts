import type { AuditDifference } from '@laurel/leaderboard';
import type { Command } from 'commander';
import { PassThrough } from 'node:stream';
import type { CommandContext } from '../application/command-context';
import { CommandError } from '../errors/command-error';
import { auditCommand, runAudit, type AuditFlags, type AuditRun } from './audit-command';
import { verifyRun } from './verify.command';

const help = `
Everything that "verify" compares is put right in the same step in which it is compared: recording goes on meanwhile, and
nobody reads a board that is half done. --dry-run shows what would be put right; on a terminal that is all that happens
without --yes. It first counts who would lose points: more than 10 users lose none without --yes-take-points, as ledgers are
missing then, more likely than that many boards are wrong.

Entries without any ledger are removed. Safe to be interrupted, killed and repeated: each step is whole by itself, and a
repeated run begins at the beginning.

A settled board is final: a period that closes while this runs is left as it is from then on.

A leaderboard that was added later is filled from the ledgers, in its open periods.

Ledgers cannot tell everything: where the first ledgers of a period are gone, entries are raised to what is left of them, and
never lowered. Where ledgers are lost as well, "replay" records again what the outbox keeps. Ends with 1 where differences are left.`;

/** From more users than these it takes no points unless it is told to. */
const fewUsers = 10;

interface RebuildFlags extends AuditFlags {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly yesTakePoints?: boolean;
}

const rebuildRun: AuditRun = {
  title: 'Rebuilding',
  access: 'changes',
  run: (audits, options) => audits.rebuild(options),
  conclude: ({ differences, healed }) => ({
    text: `, ${healed.toLocaleString('en')} put right.`,
    isFailed: healed < differences,
  }),
};

const dryRun: AuditRun = {
  ...verifyRun,
  conclude({ differences, gaps }) {
    const isNew = gaps.some(({ reason }) => reason === 'new');
    const text = differences > 0 ? 'puts them right' : 'fills what is new';
    return {
      text: differences > 0 || isNew ? `. Nothing was changed: --yes ${text}.` : '. Nothing would be changed.',
      isFailed: differences > 0,
    };
  },
};

/** `rebuild` */
export function rebuildCommand(context: CommandContext): Command {
  return auditCommand('rebuild')
    .summary('restore boards from their ledgers')
    .description('Restores every open board from the ledgers that it is the sum of, while recording goes on.')
    .option('--dry-run', 'show what it would put right, and change nothing')
    .option('--yes', 'on a terminal: do it; without this a terminal is only shown what would be done')
    .option('--yes-take-points', 'take points from more than 10 users, too')
    .addHelpText('after', help)
    .action(async ({ dryRun: isDry, yes, yesTakePoints, ...flags }: RebuildFlags) => {
      if (isDry && yes) throw new CommandError('--dry-run and --yes exclude one another: give one of them.');
      if (isDry || (context.terminal.err.isTTY && !yes && !yesTakePoints)) {
        await runAudit(context, dryRun, flags);
        return;
      }
      if (!yesTakePoints) await assertFewLose(context, flags);
      await runAudit(context, rebuildRun, flags);
    });
}

/** @throws CommandError where it would take points from many: then it is likely that ledgers are missing. */
async function assertFewLose(context: CommandContext, flags: AuditFlags): Promise<void> {
  const losers = new Set<string>();
  const onDifference = ({ fault, member, expected, found }: AuditDifference): void => {
    if ((fault === 'points' || fault === 'unfounded') && (found ?? 0) > expected) losers.add(member);
  };
  const quiet = { ...context, terminal: { ...context.terminal, out: new PassThrough().resume() } };
  const run = { ...verifyRun, conclude: () => ({ text: '', isFailed: false }), onDifference };
  await runAudit(quiet, run, { ...flags, limit: Infinity, json: true });
  if (losers.size <= fewUsers) return;
  throw new CommandError(
    `It would take points from ${losers.size.toLocaleString('en')} users, so nothing was changed. --dry-run shows them. ` +
      'Find out why first: ledgers may be missing. --yes-take-points does it.',
  );
}
