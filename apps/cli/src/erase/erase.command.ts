import { Erasures, SettlementService } from '@laurel/activity';
import { Rewards } from '@laurel/activity/rewards';
import type { ErasedUser, ErasureReceipt } from '@laurel/activity/internals';
import { Command } from 'commander';
import type { CommandContext } from '../application/command-context';
import { tellLeftOut } from '../application/left-out';
import { openActivity } from '../application/open-activity';
import { runCommand } from '../application/run-command';
import { doneByApp } from '../application/until-done';
import { CommandError } from '../errors/command-error';

const help = `
Removes the user from boards, ledgers, windows, lists, settled titles, rewards, exclusions, reviews and the list of
operations, and prints how much was erased, by kind. Safe to repeat: an interrupted erasure continues.

Where the app keeps users or its archive elsewhere than in Redis, as the community does in its database, --url names the app:
it is asked to erase the user, with the key in LAUREL_API_KEY. It also knows of dead letters of a stream of activities, which
this command alone leaves.`;

interface EraseOptions {
  readonly user: string;
  readonly url?: string;
  readonly json?: boolean;
}

/** `erase` */
export function eraseCommand(context: CommandContext): Command {
  const { terminal } = context;
  return new Command('erase')
    .summary('erase a user everywhere')
    .description('Erases a user everywhere and prints how much was erased.')
    .requiredOption('--user <id>', 'the user’s id')
    .option('--url <address>', 'of the app, such as http://localhost:3000: it erases what it keeps elsewhere as well')
    .option('--json', 'print what was erased as JSON')
    .addHelpText('after', help)
    .action(async ({ user, url, json }: EraseOptions) => {
      const { userId, erased } = url === undefined ? await eraseHere(user) : await eraseThere(url, user);
      if (json) {
        terminal.out.write(`${JSON.stringify({ userId, erased })}\n`);
        return;
      }
      for (const [kind, count] of Object.entries(erased)) {
        terminal.out.write(`${kind}: ${count.toLocaleString('en')}\n`);
      }
      terminal.out.write(`Erased ${JSON.stringify(userId)}.\n`);
    });

  function eraseHere(userId: string): Promise<ErasedUser> {
    return runCommand(context, {
      open: () => openActivity(context, 'changes'),
      async work(app) {
        if (await app.get(SettlementService).archivesElsewhere()) {
          throw new CommandError(
            'The app keeps its archive elsewhere than in Redis: name the app by --url, so that it erases there, too.',
          );
        }
        const { erased } = await app.get(Erasures).erase(userId);
        tellLeftOut(context);
        return { userId, erased: { ...erased, rewards: await app.get(Rewards).erase(userId) } };
      },
    });
  }

  async function eraseThere(address: string, userId: string): Promise<ErasedUser> {
    const asked = {
      method: 'DELETE',
      path: `users/${encodeURIComponent(userId)}`,
      receipts: 'erasure-receipts',
    } as const;
    const { erased } = await doneByApp<ErasureReceipt>(context, address, asked);
    return { userId, erased };
  }
}
