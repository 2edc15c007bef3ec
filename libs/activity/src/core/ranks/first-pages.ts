import type { BoardHead, Period, Ranking } from '@laurel/leaderboard';
import { Inject, Injectable } from '@nestjs/common';
import { SharedReads } from '../cache/timed-cache';
import { Extensions } from '../extensions/extensions';
import type { LeaderboardBoards } from '../ledgers/leaderboard-boards';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../options/settings';
import { PageAssembler } from './page-assembler';
import type { RankPage } from './rank.responses';
import { Leaderboards, type FoundStandings } from './leaderboards';

/** Which first page: how many entries, how equal scores are ranked, and whether with titles. */
export interface FirstPageView {
  readonly limit: number;
  readonly ranking: Ranking;
  readonly titles: boolean;
}

/** The first entries of a period as they were read once. */
export interface StandingsStart {
  readonly leaderboard: LeaderboardBoards;
  readonly period: Period;
  readonly found: FoundStandings;
  readonly head: BoardHead;
  /** How many entries were read for. */
  readonly count: number;
  /** Unlike that of any other. */
  readonly id: number;
}

/** The most entries of a first page. */
export const maxFirstPage = 100;

/** Pages up to this size share one read; larger ones share a read of {@link maxFirstPage}. */
const usualFirstPage = 10;

/** The most entries in a cache: some 400 bytes each in a page with its JSON, half of that before. */
const maxEntries = 50_000;

/** The weight of a cached page without its entries, in entries. */
const besideEntries = 10;

/**
 * First pages and the entries they are made of. For `cacheMs`, a period is read once for pages of every size, ranking
 * and kind, and each page is made once.
 */
@Injectable()
export class FirstPages {
  private readonly starts: SharedReads<StandingsStart>;
  private readonly pages: SharedReads<RankPage>;
  private readCount = 0;

  constructor(
    private readonly leaderboards: Leaderboards,
    private readonly assembler: PageAssembler,
    private readonly extensions: Extensions,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
  ) {
    const options = { clock: settings.clock, ttlMs: settings.cacheMs, maxWeight: maxEntries };
    this.starts = new SharedReads(options);
    this.pages = new SharedReads(options);
  }

  /** The weight of both caches, in entries. */
  get keptEntries(): number {
    return this.starts.weight + this.pages.weight;
  }

  /** The first page that {@link start} and {@link page} would give, where both are cached; it is not waited for. */
  kept(leaderboard: LeaderboardBoards, period: Period, view: FirstPageView): RankPage | undefined {
    const start = this.starts.peek(this.startKey(leaderboard, period, this.countFor(view.limit)));
    return start && this.pages.peek(pageKey(start, view));
  }

  /**
   * The first `limit` entries of a period, or more, at most `cacheMs` old. One round trip where they are not cached.
   * @throws ActivityError `unavailable`
   */
  start(leaderboard: LeaderboardBoards, period: Period, limit: number): Promise<StandingsStart> {
    const count = this.countFor(limit);
    const key = this.startKey(leaderboard, period, count);
    return this.starts.read(key, () => this.read(leaderboard, period, count), besideEntries + count);
  }

  /** A first page of `start`: the same object for everyone who asks within `cacheMs`. */
  page(start: StandingsStart, view: FirstPageView): Promise<RankPage> {
    const { leaderboard, period, found, head } = start;
    const { limit, ranking, titles } = view;
    const make = async () => {
      const { entries, next } = await head.page(limit, { ranking });
      return this.assembler.page({ leaderboard, period, ranking }, found, { total: head.size, entries, next }, titles);
    };
    const weight = besideEntries + Math.min(limit, head.entries.length);
    return this.pages.read(pageKey(start, view), make, weight);
  }

  private countFor(limit: number): number {
    return this.settings.cacheMs === 0 ? limit : limit <= usualFirstPage ? usualFirstPage : maxFirstPage;
  }

  private startKey(leaderboard: LeaderboardBoards, period: Period, count: number): string {
    return `${this.extensions.exclusionChanges} ${period.key} ${count} ${leaderboard.label}`;
  }

  private async read(leaderboard: LeaderboardBoards, period: Period, count: number): Promise<StandingsStart> {
    const found = await this.leaderboards.standings(leaderboard, period);
    const head = await found.read(() => found.standings.head(count));
    this.readCount += 1;
    return { leaderboard, period, found, head, count, id: this.readCount };
  }
}

function pageKey({ id }: StandingsStart, { limit, ranking, titles }: FirstPageView): string {
  return `${id} ${limit} ${ranking} ${titles}`;
}
