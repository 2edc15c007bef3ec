import { SettlementService } from '@laurel/activity';
import { UserData } from '@laurel/activity/internals';
import { Command } from 'commander';
import { askApp } from '../application/ask-app';
import type { CommandContext } from '../application/command-context';
import { tellLeftOut } from '../application/left-out';
import { openActivity } from '../application/open-activity';
import { runCommand } from '../application/run-command';
import { CommandError } from '../errors/command-error';
import { writePieces } from '../application/write-pieces';

const help = `
One JSON document, as GET /activity/users/:userId/data returns it to the API key: standings, exclusions, reviews, refusals,
operations, settled places with titles, and every day of the ledger that is kept. Memory does not grow with it.

Names, and dead letters of a stream of activities, are the app's: with --url, the app is asked, with the key in
LAUREL_API_KEY, and the document has them as well.`;

interface Options {
  readonly user: string;
  readonly url?: string;
  readonly out?: string;
}

/** `user-data --user <id>` */
export function userDataCommand(context: CommandContext): Command {
  return new Command('user-data')
    .summary('write all that is kept about a user')
    .description('Writes all that is kept about a user to a file or to the standard output.')
    .requiredOption('--user <id>', 'the user’s id')
    .option('--url <address>', 'of the app, such as http://localhost:3000: it knows what it keeps elsewhere as well')
    .option('--out <file>', 'default: the standard output')
    .addHelpText('after', help)
    .action(async ({ user, url, out }: Options) => {
      if (url !== undefined) {
        const path = `users/${encodeURIComponent(user)}/data`;
        const { body } = await askApp(context, url, { method: 'GET', path });
        await writePieces(context, out, body as unknown as AsyncIterable<Uint8Array>);
        return;
      }
      await runCommand(context, {
        open: () => openActivity(context, 'reads'),
        async work(app) {
          if (await app.get(SettlementService).archivesElsewhere()) {
            throw new CommandError(
              'The app keeps its archive elsewhere than in Redis: name the app by --url, so that it writes it as well.',
            );
          }
          await writePieces(context, out, app.get(UserData).json(user, false));
          tellLeftOut(context);
        },
      });
    });
}
