import { SettlementService } from '@laurel/activity';
import { Takeovers } from '../../takeover/takeovers';
import type { Period } from '@laurel/leaderboard';
import { Command } from 'commander';
import type { CommandContext } from '../../application/command-context';
import { openActivity, type OpenActivity } from '../../application/open-activity';
import { runCommand } from '../../application/run-command';
import { CommandError, nothingFoundExitCode } from '../../errors/command-error';
import { momentFrom } from '../../output/moment';
import { startProgress } from '../../output/progress';
import { openSource, type SourceRedis } from '../source-redis';
import { TakeoverCounts } from '../takeover-counts';
import { findKeys, type PaicodingKeys } from './keys';
import { Sums } from './sums';
import { takeBoard } from './take-boards';
import { type DayCounts, PaicodingDays } from './take-days';

const help = `
Each field of a user's hash becomes an activity of its day: path_… a view of that path, 7_praise a praise of article:7, 7_collect,
7_rate (comment) and 7_publish likewise, 8_follow a follow of user:8, worth what the app's rules say. A field that paicoding has
deleted since, by a cancel, is revoked. What a day's or a month's board has beyond that, such as of days whose hashes are gone
(they live for 31 days), becomes an adjustment of the app's first leaderboard of days or months of all actions.

paicoding cuts days in the time zone of its JVM, which must be the app's. Limits of the app apply: take over before you set any.
The app's leaderboards take what is still open: LAUREL_LATENESS_S reaches further back, as for import.

The source is only read. Run it again whenever you like, also while paicoding writes: it takes over what changed, and nothing
counts twice. The switch, at some moment M: paicoding's writing ends, the app records everything from M on, and then the command
runs once more with --switched-at M, and always with it from then on. What paicoding counted is dated before M, so what the app
has recorded since is later: a praise that both know counts once, and one cancelled in the app stays cancelled. Until M the app
must record none of these actions itself: they would be taken for fields that paicoding has deleted.`;

interface Flags {
  readonly from?: string;
  readonly keyPrefix: string;
  readonly articlePrefix: string;
  readonly switchedAt?: Date;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** `migrate paicoding` */
export function paicodingCommand(context: CommandContext): Command {
  return new Command('paicoding')
    .summary('take over the activity ranking of paicoding')
    .description(
      'Takes over the activity ranking of paicoding: users’ days field by field, then what its boards have beyond.',
    )
    .option('--from <url>', 'the Redis of paicoding; default: SOURCE_REDIS_URL, else the app’s own')
    .option('--key-prefix <text>', 'what its keys begin with', 'pai_activity_rank_')
    .option('--article-prefix <text>', 'what stands before an article’s id in the app’s subjects', 'article:')
    .option(
      '--switched-at <moment>',
      'from when on the app records, such as 2026-11-20T10:00:00Z',
      momentFrom('--switched-at'),
    )
    .option('--dry-run', 'compare, and change nothing')
    .option('--json', 'print JSON instead of a table')
    .addHelpText('after', help)
    .action(async (flags: Flags) => {
      const { dryRun: isDryRun = false, json = false } = flags;
      const done = await runCommand(context, {
        open: () => openActivity(context, isDryRun ? 'reads' : 'begins'),
        interrupted: () => 'Interrupted. Run the same command again: what is taken over already is not counted twice.',
        work: (app) => migrate(app, flags, context),
      });
      tell(done, { isDryRun, json }, context);
    });
}

/** The result of the whole command. */
interface Migrated {
  readonly days: DayCounts;
  readonly boards: TakeoverCounts;
  /** Months that can no longer be compared. */
  readonly left: readonly string[];
}

async function migrate(app: OpenActivity, flags: Flags, context: CommandContext): Promise<Migrated> {
  const source = await openSource(flags.from, app.redis, context);
  try {
    const keys = await findKeys(source.client, flags.keyPrefix);
    if (keys.days.size + keys.dayBoards.size + keys.monthBoards.size === 0) {
      const message = `No keys of paicoding begin with ${JSON.stringify(flags.keyPrefix)} on ${source.name}.`;
      throw new CommandError(message, { exitCode: nothingFoundExitCode });
    }
    const { signal } = context;
    if (flags.dryRun) return await take(app, source, keys, flags, { ...context, signal });
    // One at a time; and periods of long ago would be settled as soon as they are seen.
    return await app
      .get(SettlementService)
      .whileNobodySettles(
        (lost) => take(app, source, keys, flags, { ...context, signal: AbortSignal.any([signal, lost]) }),
        { signal },
      );
  } finally {
    source.close();
  }
}

/** A hash lives for so long after its latest write: from an earlier day some may be gone. */
const hashLivesMs = 31 * 86_400_000;

async function take(
  app: OpenActivity,
  source: SourceRedis,
  keys: PaicodingKeys,
  { keyPrefix, articlePrefix, switchedAt, dryRun: isDryRun = false }: Flags,
  { terminal, signal }: CommandContext,
): Promise<Migrated> {
  const takeovers = app.get(Takeovers);
  const switchedAtMs = switchedAt?.getTime() ?? Infinity;
  const isComplete = ({ start }: Period) => start.getTime() > takeovers.nowMs - hashLivesMs;
  const known = [...new Set([...keys.days.keys(), ...keys.dayBoards])]
    .sort()
    .map((day) => takeovers.period('day', day));
  const complete = known.filter(isComplete);
  const firstDay =
    complete[0]?.key ?? takeovers.period('day', new Date(takeovers.nowMs).toISOString().slice(0, 10)).key;
  const since = await takeovers.firstDay({ source: 'paicoding', firstDay, stores: !isDryRun });
  const taken = complete.filter(({ key }) => key >= since);
  const days = new PaicodingDays(app, {
    source: source.client,
    keys,
    keyPrefix,
    articlePrefix,
    switchedAtMs,
    isDryRun,
  });
  const boards = new TakeoverCounts(0);
  const options = { source, keyPrefix, isDryRun, counts: boards };
  const [dayBoard, monthBoard] = [takeovers.leaderboardOf('day'), takeovers.leaderboardOf('month')];
  const sums = new Sums();
  const left: string[] = [];
  const progress = startProgress(terminal, isDryRun ? 'Comparing' : 'Taking', taken.length + keys.monthBoards.size);
  let done = 0;
  try {
    for (const day of taken) {
      await days.take(day, sums, signal);
      if (dayBoard !== null && keys.dayBoards.has(day.key)) await takeBoard(app, dayBoard, day, sums, options);
      sums.forget(day.key);
      progress.update((done += 1));
    }
    for (const key of [...keys.monthBoards].sort()) {
      signal.throwIfAborted();
      const month = takeovers.period('month', key);
      const first = since > `${key}-01` ? since : `${key}-01`;
      // Of a month whose first days are gone nobody can say any more what of its board was in their hashes.
      const isWhole = first.slice(0, 7) > key || isComplete(takeovers.period('day', first));
      if (!isWhole) left.push(key);
      else if (monthBoard !== null) await takeBoard(app, monthBoard, month, sums, options);
      progress.update((done += 1));
    }
  } finally {
    progress.stop();
  }
  return { days: days.counts, boards, left };
}

function tell(
  { days, boards, left }: Migrated,
  { isDryRun, json }: { readonly isDryRun: boolean; readonly json: boolean },
  { terminal: { out, err } }: CommandContext,
): void {
  const { outcomes, unchanged, leftOut, grants, revokes } = days;
  const number = (count: number) => count.toLocaleString('en');
  if (json) {
    const activities = isDryRun ? { grants, revokes } : outcomes.toJSON();
    out.write(`${JSON.stringify({ activities, unchanged, leftOut, boards, left })}\n`);
  } else {
    const told = isDryRun
      ? `  ${number(grants)} activities would be granted, ${number(revokes)} revoked`
      : outcomes.toTable();
    out.write(`Days:\n${told}\n  unchanged: ${number(unchanged)}, left out: ${number(leftOut)}\n`);
    out.write(`Boards:\n${boards.toTable()}\n`);
  }
  if (isDryRun) err.write('Nothing was changed.\n');
  if (left.length > 0) {
    err.write(`Left as they were taken over: ${left.join(', ')}. Hashes of their first days are gone since.\n`);
  }
  const closed = outcomes.of('closed') + boards.refused;
  if (closed > 0) err.write(`Not taken, as the periods take no more: ${number(closed)}. See --help.\n`);
}
