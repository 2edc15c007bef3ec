import type { ScoreTakeover, SourceScore } from '../../takeover/score-takeover';
import { Takeovers } from '../../takeover/takeovers';
import type { Period } from '@laurel/leaderboard';
import { chunksOf } from '@laurel/leaderboard/internals';
import type { OpenActivity } from '../../application/open-activity';
import type { SourceRedis } from '../source-redis';
import { SortedSet } from '../sorted-set';
import type { TakeoverCounts } from '../takeover-counts';
import { compact } from './keys';
import type { Sums } from './sums';

/** How boards are taken over. */
export interface BoardsOptions {
  readonly source: SourceRedis;
  readonly keyPrefix: string;
  readonly isDryRun: boolean;
  readonly counts: TakeoverCounts;
}

/**
 * Gives users what a board of paicoding's has more, or less, than their hashes: of days whose hashes are gone, of a
 * cancel that it forgot, of rules that differ.
 */
export async function takeBoard(
  app: OpenActivity,
  leaderboard: string,
  period: Period,
  sums: Sums,
  { source, keyPrefix, isDryRun, counts }: BoardsOptions,
): Promise<void> {
  const takeovers = app.get(Takeovers);
  const set = await SortedSet.open(source, keyPrefix + compact(period.key));
  const takeover = takeovers.ofScores({
    leaderboard,
    period: period.key,
    source: ['paicoding', set.key],
    reason: `Taken over from ${set.key}`,
  });
  const counted = sums.of(period.key);
  const take = async (scores: readonly SourceScore[]) => {
    const changes = await takeover.changes(scores);
    if (isDryRun) counts.addTaken(changes.length, differenceOf(changes));
    else counts.add(await takeover.take(changes));
  };
  for await (const page of set.pages()) {
    await take(page.map(({ member, score }) => ({ userId: member, score: score - (counted.get(member) ?? 0) })));
  }
  const others = [...counted.keys()];
  for (const users of chunksOf(others, 500)) {
    await take(await absent(set, users, (userId) => -(counted.get(userId) ?? 0)));
  }
  for await (const members of takeover.members()) {
    await take(
      await absent(
        set,
        members.filter((userId) => !counted.has(userId)),
        () => 0,
      ),
    );
  }
}

async function absent(
  set: SortedSet,
  users: readonly string[],
  scoreOf: (userId: string) => number,
): Promise<SourceScore[]> {
  if (users.length === 0) return [];
  const scores = await set.scores(users);
  return users.flatMap((userId, i) => (scores[i] === null ? [{ userId, score: scoreOf(userId) }] : []));
}

function differenceOf(changes: Awaited<ReturnType<ScoreTakeover['changes']>>): number {
  return changes.reduce((sum, { score, taken }) => sum + score - taken.total, 0);
}
