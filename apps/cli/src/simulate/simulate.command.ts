import { RulesInForce } from '@laurel/activity/internals';
import { RuleSimulation } from '@laurel/reports';
import { Command } from 'commander';
import { resolve } from 'node:path';
import type { CommandContext } from '../application/command-context';
import { longRead } from '../application/long-read';
import { wholeFrom } from '../output/whole-number';
import { readRules } from './rules-file';
import { simulationTable } from './simulation-table';

const help = `
The file has a list of rules as the module's option "rules" takes it:
  [ { "action": "view", "points": 1, "revocable": false }, { "action": "praise", "points": 5, "revocable": true } ]
An action that it leaves out is worth nothing.

What stands in the ledgers of the period's days is added up by the points of the file; nothing is changed. Points alone
are simulated: what does not stand (refused by a limit, of an action without a rule) cannot come to count. Equal
points are put in order by when the user's real score was reached.`;

interface Options {
  readonly rules: string;
  readonly period: string;
  readonly leaderboard?: string;
  readonly top: number;
  readonly json?: boolean;
}

/** `simulate --rules <file> --period <period>` */
export function simulateCommand(context: CommandContext): Command {
  return new Command('simulate')
    .summary('show how a period would have stood under other rules')
    .description('Computes from the ledgers how a period would have stood if actions had been worth other points.')
    .requiredOption('--rules <file>', 'the rules, as JSON')
    .requiredOption('--period <period>', 'current, previous, or a key such as 2026-10')
    .option('--leaderboard <name>', 'default: the first that has the period')
    .option('--top <count>', 'how many places to print, 1 to 1000', wholeFrom(1, 1_000), 20)
    .option('--json', 'print JSON instead of a table')
    .addHelpText('after', help)
    .action(async (options: Options) => {
      const { out, err } = context.terminal;
      // npm runs us in the project's folder and leaves in INIT_CWD where the operator is.
      const rulesOf = await readRules(resolve(context.env.INIT_CWD ?? '.', options.rules));
      const { leaderboard, period, top } = options;
      const simulation = await longRead(context, {
        title: 'Simulating',
        read: (app, hooks) => {
          const rules = rulesOf(app.get(RulesInForce).book.decimals);
          return app
            .get(RuleSimulation)
            .run({ ...(leaderboard !== undefined && { leaderboard }), period, rules, top, ...hooks });
        },
      });
      out.write(`${options.json ? JSON.stringify(simulation) : simulationTable(simulation)}\n`);
      const { worthless, uneven, users } = simulation;
      if (worthless.length > 0) err.write(`Not in the file, so worth nothing: ${worthless.join(', ')}.\n`);
      if (uneven > 0) {
        const which = `${uneven.toLocaleString('en')} of ${users.toLocaleString('en')}`;
        err.write(
          `The ledgers of ${which} users do not add up to their points: something came or was cancelled after the period was closed.\n`,
        );
      }
    });
}
