import { RulesInForce } from '@laurel/activity/internals';
import type { Command } from 'commander';
import type { CommandContext } from '../application/command-context';
import { openActivity, type OpenActivity } from '../application/open-activity';
import { openRedis } from '../application/open-redis';
import { runCommand } from '../application/run-command';
import { CommandError } from '../errors/command-error';
import { checkEntries } from './check-entries';
import { takeIntoBoard } from './into-board';
import { takeIntoLeaderboard } from './into-leaderboard';
import { SortedSet } from './sorted-set';
import { openSource, type SourceRedis } from './source-redis';
import type { TakeoverCounts } from './takeover-counts';

/** The options of all commands that take scores over. */
export interface ScoreFlags {
  readonly from?: string;
  readonly leaderboard?: string;
  readonly period: string;
  readonly board?: string;
  readonly order: string;
  readonly memberPrefix: string;
  readonly whole?: boolean;
  readonly leaveOut?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** A source of scores. */
export interface ScoreSource {
  /** Its kind: two kinds of sources may have the same key. */
  readonly kind: string;
  /** Its key; the app is open if the scores go to a leaderboard of the app's. */
  readonly keyFor: (app: OpenActivity | null) => string;
  /** Does what else is to be done with the source. */
  readonly also?: (source: SourceRedis) => Promise<void>;
}

/** Adds the options of {@link ScoreFlags}. */
export function withScoreOptions(command: Command): Command {
  return command
    .option('--from <url>', 'the Redis to take over from; default: SOURCE_REDIS_URL, else the app’s own')
    .option('--leaderboard <name>', 'the leaderboard of the app that gets the points')
    .option('--period <period>', 'of the leaderboard: current, previous, or a key such as 2026-11', 'current')
    .option('--board <key>', 'instead: the key of a Leaderboard of @laurel/leaderboard that gets the scores')
    .option('--order <order>', 'of such a board: desc or asc', 'desc')
    .option('--member-prefix <text>', 'what stands before each user id in the members, such as user:', '')
    .option('--whole', 'leave out what stands behind the point of a score')
    .option('--leave-out', 'leave out the entries that cannot be taken over')
    .option('--dry-run', 'compare, and change nothing')
    .option('--json', 'print JSON instead of a table');
}

/** The end of such a command's help. */
export const scoreHelp = `
The source is only read. Run it again whenever you like, also while the old app writes: it takes over the difference to what
it took over before, for each user, so nothing counts twice. Users who have left the source lose what they got from it.

The switch: no user's action may be counted by both apps. Stop the old app's writing, run the command once more, and let the new
app record from then on; or let it record from the moment at which the old one has stopped, and run the command after that.
With --board, which makes the board what the source is, the new app writes only after the last run.

Ends with 1 where entries were refused: closed, the period takes no more (LAUREL_LATENESS_S, as for import); rejected, more points
than the leaderboard holds, or a user who was erased.`;

/** Takes the scores of a sorted set over, to where the flags say. */
export async function migrateScores(source: ScoreSource, flags: ScoreFlags, context: CommandContext): Promise<void> {
  const { leaderboard, board } = flags;
  if ((leaderboard === undefined) === (board === undefined)) {
    throw new CommandError('Name either --leaderboard, of the app, or --board, of @laurel/leaderboard.');
  }
  const counts =
    leaderboard === undefined ? await intoBoard(source, flags, context) : await intoApp(source, flags, context);
  tell(counts, flags, context);
}

function intoApp(source: ScoreSource, flags: ScoreFlags, context: CommandContext): Promise<TakeoverCounts> {
  const { leaderboard = '', period, dryRun: isDryRun = false } = flags;
  return runCommand(context, {
    open: () => openActivity(context, isDryRun ? 'reads' : 'begins'),
    interrupted: () => interrupted,
    work: (app) =>
      withSet(source, app, flags, context, app.redis, app.get(RulesInForce).book.decimals, (set, reading) =>
        takeIntoLeaderboard(app, set, { ...reading, leaderboard, period, isDryRun, kind: source.kind }, context),
      ),
  });
}

function intoBoard(source: ScoreSource, flags: ScoreFlags, context: CommandContext): Promise<TakeoverCounts> {
  const { board = '', order, dryRun: isDryRun = false } = flags;
  if (order !== 'asc' && order !== 'desc')
    throw new CommandError(`--order is ${JSON.stringify(order)}: use desc or asc.`);
  return runCommand(context, {
    open: () => openRedis(context, 'begins'),
    interrupted: () => interrupted,
    work: (redis) =>
      withSet(source, null, flags, context, redis, null, (set, reading) =>
        takeIntoBoard(redis, set, { ...reading, board, order, isDryRun }, context),
      ),
  });
}

const interrupted = 'Interrupted. Run the same command again: what is taken over already is not counted twice.';

async function withSet<Done>(
  { keyFor, also }: ScoreSource,
  app: OpenActivity | null,
  { from, memberPrefix, whole: isWhole = false, leaveOut: leavesOut = false, dryRun }: ScoreFlags,
  context: CommandContext,
  own: Pick<SourceRedis, 'client' | 'name'>,
  decimals: number | null,
  work: (
    set: SortedSet,
    reading: { memberPrefix: string; isWhole: boolean; decimals: number | null; leftOut: number },
  ) => Promise<Done>,
): Promise<Done> {
  const redis = await openSource(from, own, context);
  try {
    const set = await SortedSet.open(redis, keyFor(app));
    const reading = { memberPrefix, isWhole, decimals };
    const leftOut = await checkEntries(set, { ...reading, leavesOut }, context.terminal, context.signal);
    const done = await work(set, { ...reading, leftOut });
    if (!dryRun) await also?.(redis);
    return done;
  } finally {
    redis.close();
  }
}

function tell(counts: TakeoverCounts, { json, dryRun }: ScoreFlags, { terminal: { out, err } }: CommandContext): void {
  out.write(`${json ? JSON.stringify(counts) : counts.toTable()}\n`);
  if (dryRun) err.write('Nothing was changed.\n');
  if (counts.refused === 0) return;
  throw new CommandError(`Not taken: ${counts.refused.toLocaleString('en')} entries. See --help.`);
}
