import { RankService } from '@laurel/activity/core';
import { setTimeout as delay } from 'node:timers/promises';

/** An app or a testing module of Nest, or the `RankService` of one. */
export type Ranking = RankService | { get(type: typeof RankService, options: { strict: false }): RankService };

/** The context that Jest and Vitest give a matcher. */
export interface MatcherState {
  readonly isNot?: boolean;
  readonly equals: (one: unknown, other: unknown) => boolean;
}

/** The result of a matcher. */
export interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

/** The matchers, as a test calls them on what `expect` was given. */
export interface LaurelMatchers<R = unknown> {
  /** Whether a user has these points on a leaderboard: `await expect(app).toHavePoints('ann', 14, 'month')`. */
  toHavePoints(userId: string, points: number, leaderboard: string): Promise<R>;
  /** Whether a leaderboard begins with these users, the first of it first: `toRank(['ann', 'ben'], 'month')`. */
  toRank(userIds: readonly string[], leaderboard: string): Promise<R>;
}

/** A matcher's longest wait: points of an event or a visit are recorded after its answer. */
const waitsMs = 1_000;
const askEveryMs = 10;

/**
 * `expect.extend(laurelMatchers)`: each reads the current period of a leaderboard until it is as expected, or a second
 * is over. With `.not` it looks once.
 */
export const laurelMatchers = {
  async toHavePoints(
    this: MatcherState,
    app: Ranking,
    userId: string,
    points: number,
    leaderboard: string,
  ): Promise<MatcherResult> {
    return until(this, points, `the points of ${userId} on ${leaderboard}`, async () => {
      const { entry } = await ranksOf(app).standing(leaderboard, userId);
      return entry.score ?? 0;
    });
  },

  async toRank(
    this: MatcherState,
    app: Ranking,
    userIds: readonly string[],
    leaderboard: string,
  ): Promise<MatcherResult> {
    return until(this, userIds, `the first ${userIds.length} of ${leaderboard}`, async () => {
      const { entries } = await ranksOf(app).standings(leaderboard, { limit: Math.max(1, userIds.length) });
      return entries.slice(0, userIds.length || 1).map(({ userId }) => userId);
    });
  },
};

function ranksOf(app: Ranking): RankService {
  return 'get' in app ? app.get(RankService, { strict: false }) : app;
}

async function until(
  { isNot = false, equals }: MatcherState,
  expected: unknown,
  what: string,
  read: () => Promise<unknown>,
): Promise<MatcherResult> {
  const endMs = performance.now() + waitsMs;
  let found = await read();
  while (!isNot && !equals(found, expected) && performance.now() < endMs) {
    await delay(askEveryMs);
    found = await read();
  }
  const shown = (value: unknown) => JSON.stringify(value);
  return {
    pass: equals(found, expected),
    message: () =>
      `expected ${what} ${isNot ? 'not ' : ''}to be ${shown(expected)}: ${isNot ? 'they are' : shown(found)}`,
  };
}
