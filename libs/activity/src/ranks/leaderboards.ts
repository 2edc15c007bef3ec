import { LeaderboardError, Period, type Ledger } from '@laurel/leaderboard';
import { Inject, Injectable } from '@nestjs/common';
import { LEDGER } from '../connection/redis-connection';
import { ActivityError } from '../errors';
import { ACTIVITY_SETTINGS, type ActivitySettings, type LeaderboardSettings } from '../options/settings';

/** The most keys remembered: cutting a period by its zone costs more than the rest of a cached answer. */
const maxRemembered = 1_000;

/** The leaderboards there are, and their periods by the names that requests give them. */
@Injectable()
export class Leaderboards {
  private readonly byName: ReadonlyMap<string, LeaderboardSettings>;
  private readonly periods = new Map<string, Period>();

  constructor(
    @Inject(LEDGER) private readonly ledger: Ledger,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
  ) {
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
  period(leaderboard: LeaderboardSettings, key: string): Period {
    const { name, period: kind } = leaderboard;
    if (key !== 'current' && key !== 'previous') {
      return this.remembered(`${kind} ${key}`, () => this.parse(leaderboard, key));
    }
    const current = this.ledger.periodOf(name);
    if (key === 'current') return current;
    return this.remembered(`before ${kind} ${current.key}`, () => {
      const previous = current.previous();
      if (previous) return previous;
      throw new ActivityError('unknownPeriod', `The leaderboard "${name}" has one period that never ends: use "all".`);
    });
  }

  /** The period before `period`; null for the first there is, and for one that never ends. */
  before({ period: kind }: LeaderboardSettings, period: Period): Period | null {
    if (period.end === null) return null;
    try {
      return this.remembered(`before ${kind} ${period.key}`, () => period.previous() ?? period);
    } catch (error) {
      // The calendar begins with the year 0.
      if (error instanceof LeaderboardError) return null;
      throw error;
    }
  }

  private parse({ name, period: kind }: LeaderboardSettings, key: string): Period {
    try {
      return Period.parse(kind, key, this.settings.timezone);
    } catch (error) {
      if (!(error instanceof LeaderboardError)) throw error;
      throw new ActivityError('unknownPeriod', `The leaderboard "${name}" knows no such period. ${error.message}`, {
        cause: error,
      });
    }
  }

  private remembered(key: string, make: () => Period): Period {
    let period = this.periods.get(key);
    if (!period) {
      period = make();
      if (this.periods.size >= maxRemembered) this.periods.clear();
      this.periods.set(key, period);
    }
    return period;
  }
}
