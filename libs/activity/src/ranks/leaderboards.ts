import { LeaderboardError, Period } from '@laurel/leaderboard';
import { Inject, Injectable } from '@nestjs/common';
import { ActivityError } from '../errors';
import { ACTIVITY_SETTINGS, type ActivitySettings, type LeaderboardSettings } from '../options/settings';

/** The leaderboards there are, and their periods by the names that requests give them. */
@Injectable()
export class Leaderboards {
  private readonly byName: ReadonlyMap<string, LeaderboardSettings>;

  constructor(@Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings) {
    this.byName = new Map(settings.leaderboards.map((leaderboard) => [leaderboard.name, leaderboard]));
  }

  /** All, in the order of the options. */
  all(): readonly LeaderboardSettings[] {
    return this.settings.leaderboards;
  }

  /** @throws ActivityError `unknownLeaderboard` */
  find(name: string): LeaderboardSettings {
    const found = this.byName.get(name);
    if (found) return found;
    const names = [...this.byName.keys()].join(', ');
    throw new ActivityError('unknownLeaderboard', `There is no leaderboard of this name: there are ${names}.`);
  }

  /**
   * A period by its name: `current`, `previous` or a key such as `2026-11-20`.
   * @throws ActivityError `unknownPeriod`
   */
  period({ name, period: kind }: LeaderboardSettings, key: string): Period {
    const { clock, timezone } = this.settings;
    if (key === 'current' || key === 'previous') {
      const current = Period.of(kind, new Date(clock.now()), timezone);
      const found = key === 'current' ? current : current.previous();
      if (found) return found;
      throw new ActivityError('unknownPeriod', `The leaderboard "${name}" has one period that never ends: use "all".`);
    }
    try {
      return Period.parse(kind, key, timezone);
    } catch (error) {
      if (!(error instanceof LeaderboardError)) throw error;
      throw new ActivityError('unknownPeriod', `The leaderboard "${name}" knows no such period. ${error.message}`, {
        cause: error,
      });
    }
  }
}
