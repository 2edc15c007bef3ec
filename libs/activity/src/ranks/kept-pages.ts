import { Injectable } from '@nestjs/common';
import { isFirstPage, type StandingsQuery } from './rank.dto';
import type { RankPage } from './rank.responses';
import { RankService } from './rank.service';

/** The most URLs that are remembered; then they are forgotten all at once. */
const maxUrls = 1_000;

/** The longest URL worth remembering. */
const maxUrlLength = 200;

/** What a URL asks for: its query has been checked. */
interface Asked {
  readonly leaderboard: string;
  readonly query: StandingsQuery;
}

/**
 * Cached first pages by the URLs that ask for them, so that a hook of the HTTP server can answer them: the way through
 * Nest to a page that lies in memory costs more than all the rest of the answer.
 */
@Injectable()
export class KeptPages {
  private readonly asked = new Map<string, Asked>();
  private isUsed = false;

  constructor(private readonly ranks: RankService) {}

  /** The page that the route answers to a GET of `url`, where it is cached; undefined where the route must be asked. */
  find(url: string): RankPage | undefined {
    this.isUsed = true;
    const asked = this.asked.get(url);
    return asked && this.ranks.kept(asked.leaderboard, asked.query);
  }

  /** Told of what the route has answered. Does nothing in an app without a hook that calls {@link find}. */
  answered(url: string, leaderboard: string, query: StandingsQuery): void {
    if (!this.isUsed || !isFirstPage(query) || url.length > maxUrlLength) return;
    if (this.asked.size >= maxUrls) this.asked.clear();
    this.asked.set(url, { leaderboard, query });
  }
}
