import type { Entry } from '@laurel/leaderboard';
import type { ArchivedEntry } from './standings-archive';

/** Numbers entries that come in rank order: ordinal, competition and dense places. Keeps the last one's, no more. */
export class Places {
  private place = 0;
  private competition = 0;
  private dense = 0;
  private score: number | undefined;

  /** How many entries were numbered. */
  get count(): number {
    return this.place;
  }

  number({ member, score, reachedAt }: Entry): ArchivedEntry {
    this.place += 1;
    if (score !== this.score) {
      this.score = score;
      this.competition = this.place;
      this.dense += 1;
    }
    const { place, competition, dense } = this;
    return { place, competition, dense, userId: member, score, reachedAtMs: reachedAt?.getTime() ?? null };
  }
}
