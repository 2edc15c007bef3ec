import { RingReport } from '@laurel/reports';
import { Command } from 'commander';
import type { CommandContext } from '../application/command-context';
import { longRead } from '../application/long-read';
import { wholeFrom } from '../output/whole-number';
import { ringsTable } from './rings-table';

const help = `
A pair is two users of whom each did the action to the other's subjects at least --min times in the period; a ring is three
users or more of whom each did it to the next, and the last to the first. A pair or a ring proves nothing: look at it.

What users received is read from the ledgers of the period's days, for the users on its leaderboard. Only actions whose
rules have "grants" to the owner leave it there, and only activities that name the owner of their subject.`;

interface Options {
  readonly period: string;
  readonly action: string;
  readonly min: number;
  readonly top: number;
  readonly json?: boolean;
}

/** `rings --period <period>` */
export function ringsCommand(context: CommandContext): Command {
  return new Command('rings')
    .summary('show pairs and rings of users who praise one another')
    .description('Finds pairs and rings of users who praise one another beyond a threshold.')
    .requiredOption('--period <period>', 'current, previous, or a key such as 2026-11')
    .option('--action <action>', 'what they do to one another', 'praise')
    .option('--min <count>', 'how often each does it to the next, at least', wholeFrom(1, 1_000_000), 5)
    .option('--top <count>', 'how many rings to print, 1 to 10000', wholeFrom(1, 10_000), 100)
    .option('--json', 'print JSON instead of a table')
    .addHelpText('after', help)
    .action(async (options: Options) => {
      const { out, err } = context.terminal;
      const { period, action, min, top } = options;
      const report = await longRead(context, {
        title: 'Reading',
        read: (app, hooks) => app.get(RingReport).run({ period, action, min, top, ...hooks }),
      });
      out.write(`${options.json ? JSON.stringify(report) : ringsTable(report)}\n`);
      if (report.isPartial) err.write('Not all rings were found, as there are too many: raise --min.\n');
    });
}
