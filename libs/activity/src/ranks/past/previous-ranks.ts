import { Injectable, Logger } from '@nestjs/common';
import { ActivityError } from '../../errors';
import { Leaderboards } from '../leaderboards';
import type { AskedPeriod } from '../standings/asked-period';
import { StandingsFinder } from '../standings/standings-finder';

/** Where users stood in the period before, for the places that they have won or lost since. */
@Injectable()
export class PreviousRanks {
  private readonly logger = new Logger(PreviousRanks.name);

  constructor(
    private readonly leaderboards: Leaderboards,
    private readonly finder: StandingsFinder,
  ) {}

  /**
   * Their ranks by the same ranking, null for who was not on it. One round trip for all of them. Ranks never fail for
   * want of these: while the archive that holds the period is away, nobody is known to have been on it.
   */
  async find(asked: AskedPeriod, userIds: readonly string[]): Promise<(number | null)[]> {
    const before = this.leaderboards.before(asked.leaderboard, asked.period);
    const unknown = userIds.map(() => null);
    if (!before || userIds.length === 0) return unknown;
    try {
      const { standings, read } = await this.finder.find(asked.leaderboard, before);
      return await read(() => standings.ranks(userIds, { ranking: asked.ranking }));
    } catch (error) {
      if (!(error instanceof ActivityError && error.code === 'unavailable')) throw error;
      this.logger.warn(`Ranks of ${asked.leaderboard.name} are shown without changes of place: ${error.message}`);
      return unknown;
    }
  }
}
