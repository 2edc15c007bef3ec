import type { BoardHead, Period, Ranking } from '@laurel/leaderboard';
import { Inject, Injectable } from '@nestjs/common';
import { Exclusions } from '../exclusions/exclusions';
import type { LeaderboardBoards } from '../ledgers/leaderboard-boards';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../options/settings';
import { RankPages } from './rank-pages';
import type { RankPage } from './rank.responses';
import { StandingsCache } from './standings-cache';
import { StandingsFinder, type FoundStandings } from './standings/standings-finder';

/** Which first page: how many entries, how equal scores are ranked, and whether with titles. */
export interface FirstPageView {
  readonly limit: number;
  readonly ranking: Ranking;
  readonly titles: boolean;
}

/** The most entries of a first page. */
export const maxFirstPage = 100;

/** What most ask for; who asks for more shares one read of {@link maxFirstPage}. */
const usualFirstPage = 10;

/** A period's first entries as they were read once; every first page that is answered of them is made once. */
export class StandingsStart {
  private readonly pages = new Map<string, Promise<RankPage>>();

  constructor(
    readonly leaderboard: LeaderboardBoards,
    readonly period: Period,
    readonly found: FoundStandings,
    readonly head: BoardHead,
    /** How many entries were asked for. */
    readonly count: number,
    private readonly compose: RankPages,
  ) {}

  /** One of its first pages: the same object to all who ask. */
  page(view: FirstPageView): Promise<RankPage> {
    const key = `${view.limit} ${view.ranking} ${view.titles}`;
    let page = this.pages.get(key);
    if (!page) {
      page = this.made(view);
      this.pages.set(key, page);
      page.catch(() => this.pages.delete(key));
    }
    return page;
  }

  private async made({ limit, ranking, titles }: FirstPageView): Promise<RankPage> {
    const { leaderboard, period, found, head } = this;
    const { entries, next } = await head.page(limit, { ranking });
    return this.compose.page({ leaderboard, period, ranking }, found, { total: head.size, entries, next, titles });
  }
}

/** Where standings begin, read once for all who ask within `cacheMs`, whatever their page, ranking and titles. */
@Injectable()
export class FirstPages {
  private readonly starts: StandingsCache<StandingsStart>;

  constructor(
    private readonly finder: StandingsFinder,
    private readonly pages: RankPages,
    private readonly exclusions: Exclusions,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
  ) {
    this.starts = new StandingsCache(settings.clock, settings.cacheMs);
  }

  /**
   * The first `limit` entries of a period, or more, at most `cacheMs` old. One round trip where none are kept.
   * @throws ActivityError `unavailable`
   */
  start(leaderboard: LeaderboardBoards, period: Period, limit: number): Promise<StandingsStart> {
    const count = this.settings.cacheMs === 0 ? limit : limit <= usualFirstPage ? usualFirstPage : maxFirstPage;
    const key = `${this.exclusions.version} ${period.key} ${count} ${leaderboard.label}`;
    return this.starts.get(key, () => this.read(leaderboard, period, count));
  }

  private async read(leaderboard: LeaderboardBoards, period: Period, count: number): Promise<StandingsStart> {
    const found = await this.finder.find(leaderboard, period);
    const head = await found.read(() => found.standings.head(count));
    return new StandingsStart(leaderboard, period, found, head, count, this.pages);
  }
}
