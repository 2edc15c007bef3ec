import { BoardAudits, type BoardAuditOptions, type BoardAuditReport } from '@laurel/reports';
import type { AuditDifference } from '@laurel/leaderboard';
import { Command } from 'commander';
import type { CommandContext } from '../application/command-context';
import { longRead } from '../application/long-read';
import type { Access } from '../application/access';
import { CommandError } from '../errors/command-error';
import { wholeFrom } from '../output/whole-number';
import { differenceLine, gapLines, summaryLine } from './audit-lines';

/** The work of a command that compares boards with their ledgers. */
export interface AuditRun {
  /** Of its progress. */
  readonly title: string;
  readonly access: Access;
  readonly run: (audits: BoardAudits, options: BoardAuditOptions) => Promise<BoardAuditReport>;
  /** How the report ends, and whether the command has failed. */
  readonly conclude: (report: BoardAuditReport) => { readonly text: string; readonly isFailed: boolean };
  /** Called with each difference. */
  readonly onDifference?: (difference: AuditDifference) => void;
}

/** The options that such commands have. */
export interface AuditFlags {
  readonly leaderboard?: string;
  readonly period?: string;
  readonly limit: number;
  readonly json?: boolean;
}

/** A command that compares boards with their ledgers, and its options. */
export function auditCommand(name: string): Command {
  return new Command(name)
    .option('--leaderboard <name>', 'one leaderboard alone')
    .option('--period <period>', 'of that leaderboard one period alone: current, previous or a key such as 2026-11')
    .option('--limit <count>', 'how many differences to print, 0 to 1000000', wholeFrom(0, 1_000_000), 1_000)
    .option('--json', 'print JSON: a value a line, the summary last');
}

/** Compares boards with their ledgers: each difference is a line, or with `--json` a JSON value a line. */
export async function runAudit(
  context: CommandContext,
  { title, access, run, conclude, onDifference: heard }: AuditRun,
  { leaderboard, period, limit, json }: AuditFlags,
): Promise<BoardAuditReport> {
  const { out, err } = context.terminal;
  if (period !== undefined && leaderboard === undefined) {
    throw new CommandError('--period names a period of one leaderboard: give --leaderboard, too.');
  }
  let told = 0;
  let healed = 0;
  const report = await longRead(context, {
    ...{ title, access },
    read: (app, { signal, onProgress }) =>
      run(app.get(BoardAudits), {
        ...(leaderboard !== undefined && { leaderboard }),
        ...(period !== undefined && { period }),
        ...{ signal, onProgress },
        onDifference(difference) {
          heard?.(difference);
          if (difference.isHealed) healed += 1;
          if (told++ >= limit) return;
          out.write(`${json ? JSON.stringify(difference) : differenceLine(difference)}\n`);
        },
      }),
    interrupted: () =>
      `Interrupted: ${told.toLocaleString('en')} differences were found by then, ${healed.toLocaleString('en')} put right. ` +
      'Run it again: it starts over.',
  });
  const { text, isFailed } = conclude(report);
  if (told > limit) err.write(`${(told - limit).toLocaleString('en')} more differences are not printed: --limit.\n`);
  if (json) out.write(`${JSON.stringify({ summary: report })}\n`);
  else {
    for (const line of gapLines(report.gaps)) err.write(`${line}\n`);
    out.write(`${summaryLine(report)}${text}\n`);
  }
  if (isFailed) throw new CommandError('Boards differ from their ledgers: see above.');
  return report;
}
