import { Erasures } from '@laurel/activity';
import { Command } from 'commander';
import type { CommandContext } from '../application/command-context';
import { openActivity } from '../application/open-activity';
import { runCommand } from '../application/run-command';

const help = `
Since this version Redis keeps lists of the keys that name a user, so an erasure looks up what it has to change. An earlier
version kept none: until this command has run once, each erasure looks at every key. Run it when no instance of an earlier
version is left, and again if you have run one since. Recording goes on meanwhile. Safe to repeat.`;

/** `index` */
export function indexCommand(context: CommandContext): Command {
  return new Command('index')
    .summary('list which keys name users, once after the update, so that erasures are quick')
    .description('Lists which keys of earlier versions name users, so that an erasure looks them up.')
    .addHelpText('after', help)
    .action(async () => {
      const { signal, terminal } = context;
      const listed = await runCommand(context, {
        open: () => openActivity(context, 'changes'),
        work: (app) => app.get(Erasures).listNames({ signal }),
        interrupted: () => 'Interrupted: erasures look at every key until this has run to its end.',
      });
      terminal.out.write(`Listed ${listed.toLocaleString('en')} keys that name users.\n`);
    });
}
