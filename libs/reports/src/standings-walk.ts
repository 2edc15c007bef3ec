import type { Entry, Period } from '@laurel/leaderboard';
import { Injectable } from '@nestjs/common';
import { type FoundStandings, type LeaderboardBoards, Leaderboards, RedisConnection } from '@laurel/activity/internals';

/** A page of entries, with the progress. */
export interface StandingsWalkPage {
  readonly entries: readonly Entry[];
  readonly done: number;
  readonly total: number;
}

/** The standings to read. */
export interface StandingsWalkOptions {
  readonly leaderboard: string;
  /** As in `GET /ranks/:leaderboard?period=`. */
  readonly period: string;
  readonly partition?: string;
}

const exportedTogether = 500;

/** Reads the standings of a period in rank order, live or archived. */
@Injectable()
export class StandingsWalk {
  constructor(
    private readonly leaderboards: Leaderboards,
    private readonly connection: RedisConnection,
  ) {}

  /**
   * Page after page, in the memory of one: a round trip for each 500 entries.
   * @throws ActivityError `unknownLeaderboard`, `unknownPeriod`, `invalidQuery`, `unavailable`.
   */
  async *pages({ leaderboard, period: key, partition }: StandingsWalkOptions): AsyncGenerator<StandingsWalkPage> {
    const boards = this.leaderboards.find(leaderboard, partition);
    for await (const page of this.pagesOf(boards, this.leaderboards.period(boards, key), exportedTogether)) {
      yield { ...page, entries: page.entries.map((entry) => ({ ...entry, score: boards.pointsOf(entry.score) })) };
    }
  }

  /**
   * The scores of users as they are now, in whole units, in the order asked; null: not on it. One round trip.
   * @throws ActivityError `unavailable`
   */
  async scores(
    boards: LeaderboardBoards,
    period: Period,
    userIds: readonly string[],
  ): Promise<(Entry['score'] | null)[]> {
    const { standings, read } = await this.leaderboards.standings(boards, period);
    const entries = await read(() => standings.entries(userIds));
    return entries.map((entry) => entry?.score ?? null);
  }

  /** As {@link pages}, `pageSize` entries a page, with scores in whole units. @throws ActivityError `unavailable` */
  async *pagesOf(boards: LeaderboardBoards, period: Period, pageSize: number): AsyncGenerator<StandingsWalkPage> {
    const { standings, read } = await this.leaderboards.standings(boards, period);
    yield* walk(standings, read, pageSize);
  }

  /** As {@link pagesOf}, for the excluded users of a board in Redis. @throws ActivityError `unavailable` */
  excludedPagesOf(boards: LeaderboardBoards, period: Period, pageSize: number): AsyncGenerator<StandingsWalkPage> {
    return walk(boards.aside(period), (work) => this.connection.read(work), pageSize);
  }
}

async function* walk(
  standings: Pick<FoundStandings['standings'], 'size' | 'after'>,
  read: FoundStandings['read'],
  pageSize: number,
): AsyncGenerator<StandingsWalkPage> {
  const users = await read(() => standings.size());
  let done = 0;
  for (let cursor: string | null = null; ;) {
    const page: { readonly entries: readonly Entry[]; readonly next: string | null } = await read(() =>
      standings.after(cursor, pageSize),
    );
    done += page.entries.length;
    yield { entries: page.entries, done, total: Math.max(users, done) };
    if (page.next === null) return;
    cursor = page.next;
  }
}
