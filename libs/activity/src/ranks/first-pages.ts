import type { BoardHead, Period, Ranking } from '@laurel/leaderboard';
import { Inject, Injectable } from '@nestjs/common';
import { Exclusions } from '../moderation/exclusions/exclusions';
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

/** What is kept may have so many entries: some 400 bytes each in a page with its JSON, half of that before. */
const maxKeptEntries = 50_000;

/** What is kept beside the entries weighs about as much as so many of them. */
const besideEntries = 10;

/** How first pages are put together, and where they are kept for as long as a copy may be old. */
interface PageMaker {
  readonly compose: RankPages;
  readonly kept: StandingsCache<RankPage>;
}

/** A period's first entries as they were read once; every first page that is answered of them is made once. */
export class StandingsStart {
  constructor(
    /** Unlike that of any other. */
    private readonly id: number,
    readonly leaderboard: LeaderboardBoards,
    readonly period: Period,
    readonly found: FoundStandings,
    readonly head: BoardHead,
    /** How many entries were asked for. */
    readonly count: number,
    private readonly maker: PageMaker,
  ) {}

  /** One of its first pages: the same object to all who ask within `cacheMs`, unless too much was asked for since. */
  page(view: FirstPageView): Promise<RankPage> {
    const key = `${this.id} ${view.limit} ${view.ranking} ${view.titles}`;
    return this.maker.kept.get(key, () => this.made(view), weightOf(Math.min(view.limit, this.head.entries.length)));
  }

  private async made({ limit, ranking, titles }: FirstPageView): Promise<RankPage> {
    const { leaderboard, period, found, head } = this;
    const { entries, next } = await head.page(limit, { ranking });
    return this.maker.compose.page({ leaderboard, period, ranking }, found, {
      total: head.size,
      entries,
      next,
      titles,
    });
  }
}

/** Where standings begin, read once for all who ask within `cacheMs`, whatever their page, ranking and titles. */
@Injectable()
export class FirstPages {
  private readonly starts: StandingsCache<StandingsStart>;
  private readonly maker: PageMaker;
  private begun = 0;

  constructor(
    private readonly finder: StandingsFinder,
    compose: RankPages,
    private readonly exclusions: Exclusions,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
  ) {
    const { clock, cacheMs } = settings;
    this.starts = new StandingsCache(clock, cacheMs, maxKeptEntries);
    this.maker = { compose, kept: new StandingsCache(clock, cacheMs, maxKeptEntries) };
  }

  /** Entries that are kept, in starts and in pages made of them, or what weighs as much. */
  get keptEntries(): number {
    return this.starts.weight + this.maker.kept.weight;
  }

  /**
   * The first `limit` entries of a period, or more, at most `cacheMs` old. One round trip where none are kept.
   * @throws ActivityError `unavailable`
   */
  start(leaderboard: LeaderboardBoards, period: Period, limit: number): Promise<StandingsStart> {
    const count = this.settings.cacheMs === 0 ? limit : limit <= usualFirstPage ? usualFirstPage : maxFirstPage;
    const key = `${this.exclusions.version} ${period.key} ${count} ${leaderboard.label}`;
    return this.starts.get(key, () => this.read(leaderboard, period, count), weightOf(count));
  }

  private async read(leaderboard: LeaderboardBoards, period: Period, count: number): Promise<StandingsStart> {
    const found = await this.finder.find(leaderboard, period);
    const head = await found.read(() => found.standings.head(count));
    return new StandingsStart((this.begun += 1), leaderboard, period, found, head, count, this.maker);
  }
}

function weightOf(entries: number): number {
  return besideEntries + entries;
}
