import {
  LeaderboardError,
  Period,
  type BoardReader,
  type Ledger,
  type PeriodState,
  type RollingBoard,
} from '@laurel/leaderboard';
import { cached, mergedByName, type NamesOptions } from '@laurel/leaderboard/internals';
import { pointsOf } from '../points/decimals';
import type { LeaderboardSettings, RollingSettings } from '../options/settings';

/** How old a span may be that is read, where its leaderboard does not say it of its own window. */
const spanRefreshMs = 10_000;

/** The rolling windows of a leaderboard, common to its boards. */
interface Windows {
  /** Of a rolling one: its windows. */
  readonly own: RollingBoard | null;
  readonly of: (rolling: RollingSettings) => RollingBoard;
  /** By how many days they have. */
  readonly spans: Map<number, LeaderboardBoards>;
}

/** One leaderboard as its ledger has it: its periods, their states and their boards. */
export class LeaderboardBoards {
  readonly name: string;
  private latestWindow: Period | undefined;

  /** @param partition the partition, if the leaderboard has partitions. */
  constructor(
    readonly settings: LeaderboardSettings,
    readonly ledger: Ledger,
    private readonly windows: Windows,
    readonly partition: string | null = null,
    /** Whether it is some days of a leaderboard, asked for together: no period comes before them. */
    readonly isSpan = false,
  ) {
    this.name = settings.name;
  }

  /** Its name in answers and archives: `name`, or `name/partition`. */
  get label(): string {
    return this.partition === null ? this.name : `${this.name}/${this.partition}`;
  }

  /** The points of a score, which boards keep in whole units. */
  pointsOf(score: number): number {
    return pointsOf(score, this.settings.decimals);
  }

  /** One partition of it. */
  part(partition: string): LeaderboardBoards {
    return new LeaderboardBoards(this.settings, this.ledger, this.windows, partition, this.isSpan);
  }

  /** So many days up to each day; null of a leaderboard that is not made of days. */
  span(days: number): LeaderboardBoards | null {
    const { settings, windows, partition } = this;
    if (settings.fedSpec !== 'day') return null;
    const span = cached(windows.spans, days, () => {
      const rolling = { days, refreshMs: settings.rolling?.refreshMs ?? spanRefreshMs };
      const spec = Object.freeze({ kind: 'rolling' as const, days });
      const ofDays = Object.freeze({ ...settings, period: 'rolling' as const, spec, rolling });
      return new LeaderboardBoards(ofDays, this.ledger, { ...windows, own: windows.of(rolling) }, null, true);
    });
    return partition === null ? span : span.part(partition);
  }

  /** The period of now; of a contest, its one period; of counted weeks before their first, that one. */
  current(): Period {
    const fed = this.ledger.periods.of(this.name);
    if (!this.settings.rolling) return fed;
    if (this.latestWindow?.key !== fed.key) this.latestWindow = this.parse(fed.key);
    return this.latestWindow;
  }

  /**
   * The period that `key` names.
   * @throws LeaderboardError `invalidArgument` where it names none; a window to come is none.
   */
  parse(key: string): Period {
    const { rolling, spec, timezone } = this.settings;
    if (!rolling) return this.ledger.periods.parse(this.name, key);
    const period = Period.parse(spec, key, timezone);
    if (key <= this.ledger.periods.of(this.name).key) return period;
    throw new LeaderboardError('invalidArgument', `The window that ends with ${key} is still to come.`);
  }

  /** Whether the period can be read live as a whole: not a rolling window whose first days have been dropped. */
  isKept(period: Period): boolean {
    return this.windows.own?.keeps(period) ?? true;
  }

  /**
   * Whether the period takes activities; of a rolling window, whether its last day does. As `Ledger.periods.stateOf`.
   */
  stateOf(period: Period): Promise<PeriodState> {
    return this.ledger.periods.stateOf(this.name, this.fed(period));
  }

  /** From which moments on the period takes no more, and is dropped by Redis. Infinity: never. */
  timesOf(period: Period): { readonly closesAtMs: number; readonly expireAtMs: number } {
    return this.ledger.periods.timesOf(this.name, this.fed(period));
  }

  /**
   * Live reads of the period.
   * @throws LeaderboardError `invalidArgument` of a partitioned leaderboard that is no {@link part}, and where a
   * rolling window's days are no longer kept.
   */
  reader(period: Period): BoardReader {
    const { windows, partition } = this;
    return windows.own?.reader(period, partition) ?? this.ledger.board(this.name, period, partition);
  }

  /** As {@link reader}, of those alone who are kept off it. */
  aside(period: Period): BoardReader {
    const { windows, partition } = this;
    return windows.own?.aside(period, partition) ?? this.ledger.aside(this.name, period, partition);
  }

  /** The partitions of a period, of a rolling window those of its days, in pages. As `Ledger.periods.partitions`. */
  partitions(period: Period, options?: NamesOptions): AsyncIterable<string> {
    const days = this.windows.own?.daysOf(period) ?? [period];
    return mergedByName(days.map((day) => this.ledger.periods.partitions(this.name, day, options)));
  }

  /** The period that is written: of a rolling window, its last day. */
  private fed(period: Period): Period {
    const { rolling, fedSpec, timezone } = this.settings;
    return rolling ? Period.parse(fedSpec, period.key, timezone) : period;
  }
}
