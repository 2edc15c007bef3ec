import { SettlementService } from '@laurel/activity';
import type { ScoreTakeover } from '../takeover/score-takeover';
import { Takeovers } from '../takeover/takeovers';
import { chunksOf } from '@laurel/leaderboard/internals';
import type { CommandContext } from '../application/command-context';
import type { OpenActivity } from '../application/open-activity';
import { startProgress } from '../output/progress';
import { scoresIn } from './check-entries';
import type { ReadingOptions } from './score-lines';
import type { SortedSet } from './sorted-set';
import { TakeoverCounts } from './takeover-counts';

/** A leaderboard of the app that takes scores. */
export interface LeaderboardTarget extends ReadingOptions {
  readonly leaderboard: string;
  readonly period: string;
  readonly isDryRun: boolean;
  readonly leftOut: number;
  /** The kind of the source. */
  readonly kind: string;
}

/** Gives the users of an app's leaderboard what a sorted set gave them, by the difference to what was taken over. */
export async function takeIntoLeaderboard(
  app: OpenActivity,
  set: SortedSet,
  target: LeaderboardTarget,
  { terminal, signal }: CommandContext,
): Promise<TakeoverCounts> {
  const { leaderboard, period, kind, isDryRun, leftOut } = target;
  const source = [kind, set.key];
  const reason = `Taken over from ${set.key.slice(0, 100).toWellFormed()}`;
  const takeover = app.get(Takeovers).ofScores({ leaderboard, period, source, reason });
  const counts = new TakeoverCounts(leftOut);
  const work = async (until: AbortSignal): Promise<void> => {
    const progress = startProgress(terminal, isDryRun ? 'Comparing' : 'Taking', set.size);
    try {
      await takeEntries(takeover, set, { ...target, counts, until, onPage: (done) => progress.update(done) });
      await takeGone(takeover, set, { ...target, counts, until });
    } finally {
      progress.stop();
    }
  };
  if (isDryRun) await work(signal);
  else {
    // One at a time; and periods of long ago would be settled as soon as they are seen.
    await app.get(SettlementService).whileNobodySettles((lost) => work(AbortSignal.any([signal, lost])), { signal });
  }
  return counts;
}

interface Pass extends LeaderboardTarget {
  readonly counts: TakeoverCounts;
  readonly until: AbortSignal;
}

async function takeEntries(
  takeover: ScoreTakeover,
  set: SortedSet,
  { counts, until, onPage, ...target }: Pass & { readonly onPage: (done: number) => void },
): Promise<void> {
  let done = 0;
  for await (const page of set.pages()) {
    until.throwIfAborted();
    const scores = scoresIn(page, target);
    const changes = await takeover.changes(scores);
    counts.addUnchanged(scores.length - changes.length);
    if (target.isDryRun) counts.addTaken(changes.length, sumOf(changes));
    else for (const some of chunksOf(changes, 500)) counts.add(await takeover.take(some));
    done += page.length;
    onPage(Math.min(done, set.size));
  }
}

/** Users whom the source gave something before, and does not name any more. */
async function takeGone(takeover: ScoreTakeover, set: SortedSet, { counts, until, ...target }: Pass): Promise<void> {
  for await (const members of takeover.members()) {
    until.throwIfAborted();
    const scores = await set.scores(members.map((member) => target.memberPrefix + member));
    const gone = members.filter((_, i) => scores[i] === null);
    const changes = await takeover.changes(gone.map((userId) => ({ userId, score: 0 })));
    if (target.isDryRun) counts.addGone(changes.length, sumOf(changes));
    else counts.add(await takeover.take(changes), true);
  }
}

function sumOf(changes: Awaited<ReturnType<ScoreTakeover['changes']>>): number {
  return changes.reduce((sum, { score, taken }) => sum + score - taken.total, 0);
}
