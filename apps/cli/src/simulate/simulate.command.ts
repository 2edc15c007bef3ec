import { ActivityError, RuleSimulation, type ResolvedRule, type Simulation } from '@laurel/activity';
import { Command, InvalidArgumentError } from 'commander';
import { resolve } from 'node:path';
import { openActivity } from '../application/open-activity';
import { CommandError, interruptedExitCode } from '../command-error';
import { startProgress, type Progress } from '../output/progress';
import type { Terminal } from '../output/terminal';
import { readRules } from './rules-file';
import { simulationTable } from './simulation-table';

const help = `
The file has a list of rules as the module's option "rules" takes it:
  [ { "action": "view", "points": 1, "revocable": false }, { "action": "praise", "points": 5, "revocable": true } ]
An action that it leaves out is worth nothing.

What stands in the ledgers of the period's days is added up by the points of the file; nothing is changed. Points alone
are simulated: what was never recorded (refused by a limit, of an action without a rule) cannot come to count. Equal
points are put in order by when the user's real score was reached.`;

/** What the command is given beside its arguments. */
export interface SimulateContext {
  readonly terminal: Terminal;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
}

interface Options {
  readonly rules: string;
  readonly period: string;
  readonly leaderboard?: string;
  readonly top: number;
  readonly json?: boolean;
}

/** `simulate --rules <file> --period <period>` */
export function simulateCommand(context: SimulateContext): Command {
  return new Command('simulate')
    .summary('show how a period would have stood under other rules')
    .description('Computes from the ledgers how a period would have stood if actions had been worth other points.')
    .requiredOption('--rules <file>', 'the rules, as JSON')
    .requiredOption('--period <period>', 'current, previous, or a key such as 2026-10')
    .option('--leaderboard <name>', 'default: the first that has the period')
    .option('--top <count>', 'how many places to print, 1 to 1000', topFrom, 20)
    .option('--json', 'print JSON instead of a table')
    .addHelpText('after', help)
    .action(async (options: Options) => {
      const { out, err } = context.terminal;
      // npm runs us in the project's folder and leaves in INIT_CWD where the operator is.
      const rules = await readRules(resolve(context.env.INIT_CWD ?? '.', options.rules));
      const simulation = await simulate(options, rules, context);
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

async function simulate(
  { leaderboard, period, top }: Options,
  rules: readonly ResolvedRule[],
  { env, terminal, signal }: SimulateContext,
): Promise<Simulation> {
  const app = await openActivity(env, terminal);
  let progress: Progress | undefined;
  try {
    return await app.get(RuleSimulation).run({
      ...(leaderboard !== undefined && { leaderboard }),
      period,
      rules,
      top,
      signal,
      onProgress(done, total) {
        progress ??= startProgress(terminal, 'Simulating', total);
        progress.update(done);
      },
    });
  } catch (cause) {
    if (signal.aborted) throw new CommandError('Interrupted.', { exitCode: interruptedExitCode });
    if (!(cause instanceof ActivityError)) throw cause;
    throw new CommandError(cause.message, { cause });
  } finally {
    progress?.stop();
    await app.close();
  }
}

function topFrom(text: string): number {
  const top = Number(text);
  if (/^\d+$/.test(text) && top >= 1 && top <= 1_000) return top;
  throw new InvalidArgumentError('Use a whole number from 1 to 1000.');
}
