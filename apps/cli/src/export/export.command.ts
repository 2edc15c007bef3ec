import { SettlementService } from '@laurel/activity';
import { StandingsWalk } from '@laurel/reports';
import { Command } from 'commander';
import type { CommandContext } from '../application/command-context';
import { longRead, type ReadHooks } from '../application/long-read';
import type { OpenActivity } from '../application/open-activity';
import { CommandError } from '../errors/command-error';
import { writePieces } from '../application/write-pieces';
import { formats, type FormatName } from './formats';

const help = `
The standings of one period, live or archived, in rank order, those who are kept off the board left out:
  ndjson  a JSON object a line: { "rank": 1, "userId": "42", "score": 37, "reachedAt": "2026-11-20T08:12:01.123Z" }
  csv     the same columns, a header first, quoted as RFC 4180 has it
Memory does not grow with them. On an open period, a user who moves while the entries are read may be missed or exported twice.`;

interface Options {
  readonly leaderboard: string;
  readonly period: string;
  readonly partition?: string;
  readonly format: string;
  readonly out?: string;
}

/** `export --leaderboard <name>` */
export function exportCommand(context: CommandContext): Command {
  return new Command('export')
    .summary('write the standings of a period to a file')
    .description('Writes the standings of a period, in rank order, to a file or to the standard output.')
    .requiredOption('--leaderboard <name>', 'whose standings')
    .option('--period <period>', 'current, previous, or a key such as 2026-11', 'current')
    .option('--partition <name>', 'of a partitioned leaderboard, which part')
    .option('--format <format>', `one of ${Object.keys(formats).join(', ')}`, 'ndjson')
    .option('--out <file>', 'default: the standard output')
    .addHelpText('after', help)
    .action(async ({ leaderboard, period, partition, format: name, out: file }: Options) => {
      const { err } = context.terminal;
      if (!Object.hasOwn(formats, name)) {
        throw new CommandError(`--format is ${JSON.stringify(name)}: use one of ${Object.keys(formats).join(', ')}.`);
      }
      const format = formats[name as FormatName];
      let count = 0;
      const read = async (app: OpenActivity, { signal, onProgress }: ReadHooks): Promise<void> => {
        const pages = app.get(StandingsWalk).pages({
          ...{ leaderboard, period },
          ...(partition !== undefined && { partition }),
        });
        async function* lines() {
          yield format.head;
          for await (const { entries, done, total } of pages) {
            signal.throwIfAborted();
            count = done;
            yield entries.map((entry) => format.line(entry)).join('');
            onProgress(done, total);
          }
        }
        await writePieces(context, file, lines());
        if (count > 0 || !(await app.get(SettlementService).archivesElsewhere())) return;
        throw new CommandError(
          'Redis has no such entries, and the app keeps its archive elsewhere: ask the app itself for a settled period.',
        );
      };
      const interrupted = () =>
        `Interrupted: ${count.toLocaleString('en')} entries were written; the file is incomplete.`;
      await longRead(context, { title: 'Exporting', read, interrupted });
      err.write(`${count.toLocaleString('en')} entries written.\n`);
    });
}
