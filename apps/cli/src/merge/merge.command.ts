import { SettlementService } from '@laurel/activity';
import type { MergeReceipt } from '@laurel/activity/internals';
import { Merges } from '@laurel/activity/moderation';
import { Command } from 'commander';
import type { CommandContext } from '../application/command-context';
import { tellLeftOut } from '../application/left-out';
import { openActivity } from '../application/open-activity';
import { runCommand } from '../application/run-command';
import { doneByApp, untilDone } from '../application/until-done';
import { CommandError } from '../errors/command-error';

const help = `
Joins what was recorded of one account into the other's: nothing counts twice. Then the one account is erased, and refused.
Settled periods stay as they are. Safe to repeat until it is done: an interrupted merge continues, in the app as well.

Where the app keeps its archive elsewhere than in Redis, --url names the app: it is asked to merge, with the key in
LAUREL_API_KEY. It also knows of dead letters of a stream of activities, which this command alone leaves.`;

interface MergeOptions {
  readonly from: string;
  readonly into: string;
  readonly url?: string;
  readonly json?: boolean;
}

/** `merge` */
export function mergeCommand(context: CommandContext): Command {
  const { terminal } = context;
  return new Command('merge')
    .summary('make two accounts one')
    .description('Makes two accounts one and prints how much was joined, and erased.')
    .requiredOption('--from <id>', 'the account that goes')
    .requiredOption('--into <id>', 'the account that stays')
    .option('--url <address>', 'of the app, such as http://localhost:3000: it erases what it keeps elsewhere as well')
    .option('--json', 'print the receipt as JSON')
    .addHelpText('after', help)
    .action(async ({ from, into, url, json }: MergeOptions) => {
      const body = { from, into };
      const there = { method: 'POST', path: 'merges', body, receipts: 'merge-receipts' } as const;
      const { merged, erased } = await (url === undefined
        ? mergeHere(body)
        : doneByApp<MergeReceipt>(context, url, there));
      if (json) {
        terminal.out.write(`${JSON.stringify({ ...body, merged, erased })}\n`);
        return;
      }
      for (const [kind, count] of Object.entries({ ...merged, ...erased })) {
        terminal.out.write(`${kind}: ${count.toLocaleString('en')}\n`);
      }
      terminal.out.write(`Merged ${JSON.stringify(from)} into ${JSON.stringify(into)}.\n`);
    });

  function mergeHere(body: Pick<MergeOptions, 'from' | 'into'>): Promise<MergeReceipt> {
    return runCommand(context, {
      open: () => openActivity(context, 'changes'),
      async work(app) {
        if (await app.get(SettlementService).archivesElsewhere()) {
          throw new CommandError(
            'The app keeps its archive elsewhere than in Redis: name the app by --url, so that it merges there, too.',
          );
        }
        const merges = app.get(Merges);
        const receipt = await untilDone(context, await merges.merge(body), async (id) => {
          const receipt = await merges.find(id);
          if (receipt.fault === null) return receipt;
          throw new CommandError(`Not done (${receipt.fault}): an app goes on with it, or this command once more.`);
        });
        tellLeftOut(context);
        return receipt;
      },
    });
  }
}
