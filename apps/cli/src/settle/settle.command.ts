import { SettlementService } from '@laurel/activity';
import type { DuePeriod, Settlement } from '@laurel/activity/internals';
import { Command } from 'commander';
import { setTimeout as delay } from 'node:timers/promises';
import type { CommandContext } from '../application/command-context';
import { openActivity } from '../application/open-activity';
import { runCommand } from '../application/run-command';
import { CommandError, interruptedExitCode } from '../errors/command-error';

const help = `
A period is due when its end and LAUREL_LATENESS_S are over. It is frozen and its standings are final; the
instances of the app announce it (leaderboard.settled) at their next look, as listeners live there. A period stays due
until all listeners that the app has ever had have acknowledged it: --retire forgets one that no instance has any
more. An instance that has it names it again at its next look, within seconds: end such instances first.

Where the app keeps its archive elsewhere than in Redis, as the community does in its database, or an instance of it
has settled with title rules in the last hour, this command waits for a running instance to do it.`;

interface SettleOptions {
  readonly leaderboard?: string;
  readonly period?: string;
  readonly retire?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** How long the command waits for other instances, and how often it asks. */
const patienceMs = 60_000;
const askEveryMs = 250;

/** `settle` */
export function settleCommand(context: CommandContext): Command {
  return new Command('settle')
    .summary('settle the periods that are due')
    .description('Freezes the periods that are due now and makes their standings final.')
    .option('--leaderboard <name>', 'of this leaderboard alone')
    .option('--period <key>', 'this period alone, such as 2026-11-20')
    .option('--retire <listener>', 'wait for this listener no more, and settle nothing')
    .option('--dry-run', 'say what is due, and settle nothing')
    .option('--json', 'print JSON: a period a line')
    .addHelpText('after', help)
    .action((options: SettleOptions) => {
      if (options.dryRun && options.retire !== undefined)
        throw new CommandError('--dry-run and --retire exclude one another: give one of them.');
      return runCommand(context, {
        open: () => openActivity(context, options.dryRun ? 'reads' : 'changes'),
        work: (app) => {
          const service = app.get(SettlementService);
          return options.retire === undefined
            ? settle(service, options, context)
            : retire(service, options.retire, context);
        },
      });
    });
}

async function retire(service: SettlementService, name: string, { terminal }: CommandContext): Promise<void> {
  if (await service.retireListener(name)) {
    const until = 'An instance that still has it names it again at its next look: end it first, then retire it again.';
    terminal.out.write(`The listener "${name}" is no longer waited for. ${until}\n`);
    return;
  }
  const names = await service.requiredListeners();
  const known = names.length > 0 ? `there are ${names.join(', ')}` : 'there is none';
  throw new CommandError(`No listener is named "${name}": ${known}.`);
}

async function settle(service: SettlementService, options: SettleOptions, context: CommandContext): Promise<void> {
  const wanted = ({ leaderboard, period }: DuePeriod): boolean =>
    (options.leaderboard ?? leaderboard) === leaderboard && (options.period ?? period.key) === period.key;
  const { leaderboards } = service;
  if (options.leaderboard !== undefined && !leaderboards.includes(options.leaderboard)) {
    throw new CommandError(`No leaderboard is named "${options.leaderboard}": there are ${leaderboards.join(', ')}.`);
  }
  const { out } = context.terminal;
  const tell = ({ text, ...line }: PeriodLine): void => {
    out.write(options.json ? `${JSON.stringify(line)}\n` : `${line.leaderboard} ${line.period}: ${text}\n`);
  };
  const due = (await service.due()).filter(wanted);
  if (due.length === 0) {
    if (!options.json) out.write('Nothing is due: what was asked for is settled, still open, or was never written.\n');
    return;
  }
  if (options.dryRun) {
    for (const { leaderboard, period } of due) tell({ leaderboard, period: period.key, state: 'due', text: 'is due' });
    return;
  }
  if ((await service.archivesElsewhere()) || (await service.leavesTitles())) {
    await waitForOthers(service, wanted, context);
    for (const { leaderboard, period } of due) {
      tell({ leaderboard, period: period.key, state: 'settledByApp', text: 'settled by the app' });
    }
    return;
  }
  const { settled, failed, missed } = await settleHere(service, wanted, context);
  for (const { leaderboard, period, total, checksum } of settled) {
    const text = `${total.toLocaleString('en')} entries, sha256 ${checksum}`;
    tell({ leaderboard, period, state: 'settled', total, checksum, text });
  }
  for (const { leaderboard, period } of missed) {
    const text = 'its board had expired, there was nothing left to settle';
    tell({ leaderboard, period: period.key, state: 'missed', text });
  }
  const [first] = failed;
  if (!first) return;
  const names = failed.map(({ due: { leaderboard, period } }) => `${leaderboard} ${period.key}`).join(', ');
  const why = first.error instanceof Error ? first.error.message : String(first.error);
  throw new CommandError(`Not settled: ${names} (${why}). Run the command again to continue.`, { cause: first.error });
}

/** The outcome of a period; `text` is for people. */
interface PeriodLine {
  readonly leaderboard: string;
  readonly period: string;
  readonly state: 'due' | 'settled' | 'settledByApp' | 'missed';
  readonly total?: number;
  readonly checksum?: string;
  readonly text: string;
}

/** Settles here, as soon as no other instance is at it. */
async function settleHere(
  service: SettlementService,
  wanted: (due: DuePeriod) => boolean,
  { signal }: CommandContext,
): Promise<Settlement> {
  const deadlineMs = performance.now() + patienceMs;
  for (;;) {
    const done = await service.settleDue(wanted, { announces: false });
    if (done) return done;
    await pause(signal, deadlineMs, 'Another instance is still settling: run the command again later.');
  }
}

async function waitForOthers(
  service: SettlementService,
  wanted: (due: DuePeriod) => boolean,
  { signal, terminal }: CommandContext,
): Promise<void> {
  terminal.err.write('The app has its own archive or title rules: waiting for a running instance to settle.\n');
  const deadlineMs = performance.now() + patienceMs;
  while ((await service.due()).some(wanted)) {
    await pause(signal, deadlineMs, 'No instance of the app has settled: start one, it settles what is due by itself.');
  }
}

async function pause(signal: AbortSignal, deadlineMs: number, overdue: string): Promise<void> {
  if (performance.now() > deadlineMs) throw new CommandError(overdue);
  await delay(askEveryMs);
  if (signal.aborted) throw new CommandError('Interrupted.', { exitCode: interruptedExitCode });
}
