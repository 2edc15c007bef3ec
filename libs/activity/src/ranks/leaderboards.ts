import { LeaderboardError, maxPartitionBytes, type Period } from '@laurel/leaderboard';
import { Injectable } from '@nestjs/common';
import { identifierFault } from '../activities/identifier';
import { ActivityError, faultsError } from '../errors';
import type { LeaderboardBoards } from '../ledgers/leaderboard-boards';
import { Ledgers } from '../ledgers/ledgers';

/** The most keys remembered: cutting a period by its zone costs more than the rest of a cached answer. */
const maxRemembered = 1_000;

/** The leaderboards there are, and their periods by the names that requests give them. */
@Injectable()
export class Leaderboards {
  private readonly periods = new Map<string, Period>();

  constructor(private readonly ledgers: Ledgers) {}

  /** All, in the order of the options. */
  all(): readonly LeaderboardBoards[] {
    return this.ledgers.leaderboards();
  }

  /** @throws ActivityError `unknownLeaderboard` */
  find(name: string): LeaderboardBoards {
    return this.ledgers.boards(name);
  }

  /**
   * A period by its name: `current`, `previous` or a key such as `2026-11-20`.
   * @throws ActivityError `unknownPeriod`
   */
  period(leaderboard: LeaderboardBoards, key: string): Period {
    const period = this.named(leaderboard, key);
    if (leaderboard.isKept(period)) return period;
    const message = `The leaderboard "${leaderboard.name}" no longer keeps the days of the window that ends with ${period.key}.`;
    throw new ActivityError('unknownPeriod', message);
  }

  private named(leaderboard: LeaderboardBoards, key: string): Period {
    const { name } = leaderboard;
    if (key !== 'current' && key !== 'previous') {
      return this.remembered(`${name} ${key}`, () => this.parse(leaderboard, key));
    }
    const current = leaderboard.current();
    if (key === 'current') return current;
    return this.remembered(`before ${name} ${current.key}`, () => {
      const previous = current.previous();
      if (previous) return previous;
      throw new ActivityError(
        'unknownPeriod',
        `The leaderboard "${name}" has no period before its current one, "${current.key}".`,
      );
    });
  }

  /**
   * The part of a leaderboard that is asked for: null where it has none.
   * @throws ActivityError `invalidQuery` where a part is named and there are none, or the other way about.
   */
  partition({ name, settings }: LeaderboardBoards, partition: string | undefined): string | null {
    const refuse = (message: string) => faultsError('invalidQuery', [{ path: 'partition', message }]);
    if (settings.partition === null) {
      if (partition === undefined) return null;
      throw refuse(`cannot be given: the leaderboard "${name}" has no parts`);
    }
    if (partition === undefined) throw refuse(`must be given: the ${settings.partition} whose standings are wanted`);
    const fault = identifierFault(partition, maxPartitionBytes);
    if (fault !== null) throw refuse(fault);
    return partition;
  }

  private parse(leaderboard: LeaderboardBoards, key: string): Period {
    try {
      return leaderboard.parse(key);
    } catch (error) {
      if (!(error instanceof LeaderboardError)) throw error;
      const message = `The leaderboard "${leaderboard.name}" knows no such period. ${error.message}`;
      throw new ActivityError('unknownPeriod', message, { cause: error });
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
