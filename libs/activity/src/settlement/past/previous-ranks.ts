import { Inject, Injectable, Logger } from '@nestjs/common';
import { ActivityError } from '../../errors/errors';
import { Exclusions } from '../../moderation/exclusions/exclusions';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../../options/settings';
import { Leaderboards } from '../../ranks/leaderboards';
import type { AskedPeriod } from '../../extensions/asked-period';
import { StandingsFinder } from '../../ranks/standings/standings-finder';

/** Ranks of one period by one ranking, as far as they were asked for. */
interface KeptRanks {
  readonly readAtMs: number;
  readonly ranks: Map<string, number | null>;
}

/** How much longer than first pages these are kept: a period that has ended moves seldom, for late activities alone. */
const keptFor = 10;

/** The most periods, and users of each, that are kept. */
const maxPeriods = 200;
const maxUsers = 5_000;

/** Where users stood in the period before, for the places that they have won or lost since. */
@Injectable()
export class PreviousRanks {
  private readonly logger = new Logger(PreviousRanks.name);
  private readonly kept = new Map<string, KeptRanks>();

  constructor(
    private readonly leaderboards: Leaderboards,
    private readonly finder: StandingsFinder,
    private readonly exclusions: Exclusions,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
  ) {}

  /**
   * Their ranks by the same ranking, null for who was not on it; at most ten times `cacheMs` old. One round trip for those
   * who are not kept. Ranks never fail for want of these: while the archive that holds the period is away, nobody is known
   * to have been on it.
   */
  async find(asked: AskedPeriod, userIds: readonly string[]): Promise<(number | null)[]> {
    const before = this.leaderboards.before(asked.leaderboard, asked.period);
    if (!before || userIds.length === 0) return userIds.map(() => null);
    const { version } = this.exclusions;
    const { ranks } = this.keptOf(`${version} ${before.key} ${asked.ranking} ${asked.leaderboard.label}`);
    const missing = userIds.filter((userId) => !ranks.has(userId));
    try {
      if (missing.length > 0) {
        const { standings, read } = await this.finder.find(asked.leaderboard, before);
        const found = await read(() => standings.ranks(missing, { ranking: asked.ranking }));
        missing.forEach((userId, index) => ranks.set(userId, found[index] ?? null));
      }
    } catch (error) {
      if (!(error instanceof ActivityError && error.code === 'unavailable')) throw error;
      this.logger.warn(`Ranks of ${asked.leaderboard.name} are shown without changes of rank: ${error.message}`);
    }
    return userIds.map((userId) => ranks.get(userId) ?? null);
  }

  /** What is kept under `key`, where it is young enough. */
  private keptOf(key: string): KeptRanks {
    const maxAgeMs = keptFor * this.settings.cacheMs;
    const nowMs = this.settings.clock.now();
    const kept = this.kept.get(key);
    const ageMs = kept ? nowMs - kept.readAtMs : Infinity;
    // A clock that was set back would keep ranks for longer.
    if (kept && ageMs >= 0 && ageMs < maxAgeMs && kept.ranks.size < maxUsers) return kept;
    const made = { readAtMs: nowMs, ranks: new Map<string, number | null>() };
    if (maxAgeMs > 0) {
      if (this.kept.size >= maxPeriods) this.kept.clear();
      this.kept.set(key, made);
    }
    return made;
  }
}
