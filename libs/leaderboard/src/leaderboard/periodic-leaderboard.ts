import type { Score, ScoreLayout } from '../board';
import { invalidArgument, invalidOption } from '../errors/errors';
import { checkedPrefix } from '../keys/keys';
import { cached } from '../lists/lists';
import type { RedisClient } from '../redis/run';
import { systemClock, type Clock } from '../time/clock';
import { checkedTimezone, Period } from '../time/period';
import { kindOf, type PeriodSpec } from '../time/period-spec';
import { Leaderboard } from './leaderboard';
import type { LeaderboardOptions } from './leaderboard-options';

/** One board for each period: those of {@link LeaderboardOptions}, and how time is cut. */
export interface PeriodicLeaderboardOptions<S extends Score = number> extends Omit<
  LeaderboardOptions<S>,
  'layout' | 'expireAt'
> {
  /** First part of each board's key, before `:` and the key of its period. */
  readonly key: string;
  /** How time is cut into periods: `day`, `week`, `month`, `quarter`, `year`, `all`, or another {@link PeriodSpec}. */
  readonly cut: Exclude<PeriodSpec, { readonly kind: 'rolling' }>;
  /** The IANA zone at whose midnights it is cut. Default `UTC`. */
  readonly timezone?: string;
  /** For how many milliseconds a board is kept after its period's end. Default: for ever. */
  readonly retentionMs?: number;
  /** How the scores of a period are kept. Default `ScoreLayout.plain()`. */
  readonly layout?: (period: Period) => ScoreLayout<S>;
}

/** So many boards are held to be used again. */
const maxBoards = 32;

/**
 * Today's leaders, this month's: a {@link Leaderboard} for each period, under a key of its own. A board begins with its
 * first write and expires `retentionMs` after its period's end. Finding a board costs no round trip; the first write of
 * an instance to a board with a retention costs one more.
 */
export class PeriodicLeaderboard<S extends Score = number> {
  private readonly boards = new Map<string, Leaderboard<S>>();
  private readonly timezone: string;
  private readonly clock: Clock;
  private current: Period;

  /**
   * @throws LeaderboardError as the constructor of {@link Leaderboard}, and `invalidArgument` for an unknown cut or
   * zone.
   */
  constructor(
    private readonly redis: RedisClient,
    private readonly options: PeriodicLeaderboardOptions<S>,
  ) {
    const { cut, timezone = 'UTC', clock = systemClock, retentionMs } = options;
    checkedPrefix('key', options.key);
    if (retentionMs !== undefined && !(Number.isSafeInteger(retentionMs) && retentionMs >= 0)) {
      throw invalidOption(
        `retentionMs is ${retentionMs}: use a whole number from 0, or leave it out to keep all boards.`,
      );
    }
    if (kindOf(cut) === 'rolling') {
      throw invalidOption('cut is rolling, whose periods overlap: use a RollingBoard of a Ledger.');
    }
    this.timezone = checkedTimezone(timezone);
    this.clock = clock;
    this.current = Period.nearest(cut, new Date(clock.now()), timezone);
    this.boardOf(this.current);
  }

  /** The current period. */
  period(): Period {
    const now = this.clock.now();
    if (!this.current.holds(now)) this.current = Period.of(this.options.cut, new Date(now), this.timezone);
    return this.current;
  }

  /** The board of the current period. Call this for each use: at the period's end it returns another board. */
  now(): Leaderboard<S> {
    return this.boardOf(this.period());
  }

  /**
   * The board of the period that holds `date`.
   * @throws LeaderboardError `invalidArgument` where no period does.
   */
  at(date: Date): Leaderboard<S> {
    return this.boardOf(Period.of(this.options.cut, date, this.timezone));
  }

  /**
   * The board of a period, or of the one that a key such as `2026-11-20` names.
   * @throws LeaderboardError `invalidArgument` where the key names none, or the period is cut otherwise.
   */
  of(period: Period | string): Leaderboard<S> {
    const { cut } = this.options;
    if (typeof period === 'string') return this.boardOf(Period.parse(cut, period, this.timezone));
    if (period.isCutBy(cut, this.timezone)) return this.boardOf(period);
    throw invalidArgument(
      `The ${period.kind} ${period.key} in ${period.timezone} is no period of this leaderboard: use one of its cut and zone.`,
    );
  }

  private boardOf(period: Period): Leaderboard<S> {
    const { key, cut: _, timezone: _zone, retentionMs, layout, ...options } = this.options;
    const make = () =>
      new Leaderboard<S>(this.redis, {
        ...options,
        key: `${key}:${period.key}`,
        ...(layout && { layout: layout(period) }),
        ...(retentionMs !== undefined && period.end && { expireAt: new Date(period.end.getTime() + retentionMs) }),
      });
    return cached(this.boards, period.key, make, maxBoards);
  }
}
