import type { Entry, Period } from '@laurel/leaderboard';
import { Injectable } from '@nestjs/common';
import type { LeaderboardBoards } from '../ledgers/leaderboard-boards';
import { Titles } from '../titles/titles';
import { PreviousRanks } from '../settlement/past/previous-ranks';
import { Profiles } from './profiles';
import { entryAnswer, nameAnswer, periodAnswer, settledAnswer } from './rank.answers';
import type { RankPage, RankPeriod } from './rank.responses';
import type { AskedPeriod } from '../extensions/asked-period';
import type { FoundStandings } from './standings/standings-finder';

/** What was read of standings, to be answered as a page. */
export interface ReadPage {
  readonly total: number;
  readonly entries: readonly Entry[];
  readonly next: string | null;
  readonly titles: boolean;
}

/** Puts to what was read of standings who the users are, where they stood before and what they are called. */
@Injectable()
export class RankPages {
  constructor(
    private readonly previous: PreviousRanks,
    private readonly profiles: Profiles,
    private readonly titles: Titles,
  ) {}

  /** A page as it is answered. One round trip for the ranks of the period before; one more for titles that are not kept. */
  async page(
    asked: AskedPeriod,
    found: FoundStandings,
    { total, entries, next, titles: withTitles }: ReadPage,
  ): Promise<RankPage> {
    const userIds = entries.map(({ member }) => member);
    const [previousRanks, profiles, titles] = await Promise.all([
      this.previous.find(asked, userIds),
      this.profiles.find(userIds),
      withTitles ? this.titles.find(asked, entries) : undefined,
    ]);
    return {
      ...(await this.answer(asked, found, total)),
      entries: entries.map((entry, i) =>
        entryAnswer(entry, { profiles, previousRank: previousRanks[i] ?? null, titles }),
      ),
      next,
    };
  }

  /** What every answer about a period begins with. */
  async answer({ leaderboard, period }: AskedPeriod, found: FoundStandings, total: number) {
    return { ...nameAnswer(leaderboard), period: await periodOf(leaderboard, period, found), total };
  }
}

async function periodOf(
  leaderboard: LeaderboardBoards,
  period: Period,
  { settled, read }: FoundStandings,
): Promise<RankPeriod> {
  if (settled) return settledAnswer(settled);
  return periodAnswer(period, await read(() => leaderboard.stateOf(period)));
}
