import { chunksOf } from '@laurel/leaderboard/internals';
import type { ArchivedEntry, HiddenPlace, SettledPeriod, StandingsArchive } from './standings-archive';

/** So many entries are looked at at once. */
const looksAtOnce = 16;

/** Whether the entry at a place shares the score of those whose competition place is this one. */
export type Shares = (place: number, competition: number) => Promise<boolean>;

/**
 * How places of archived standings are told where some of them do not show: as if those had never been there. An
 * archived place is one of everyone's; a shown place is one of those who show.
 */
export class HiddenPlaces {
  /** Where everyone shows. */
  static readonly none = new HiddenPlaces([]);

  /** Those of a settled period. One read of the archive, of all of them. */
  static async of(archive: StandingsArchive, { leaderboard, period }: SettledPeriod): Promise<HiddenPlaces> {
    return new HiddenPlaces((await archive.hidden?.(leaderboard, period)) ?? []);
  }

  private readonly places: readonly number[];
  private readonly users: ReadonlySet<string>;

  /** @param hidden in the order of their places. */
  constructor(private readonly hidden: readonly HiddenPlace[]) {
    this.places = hidden.map(({ place }) => place);
    this.users = new Set(hidden.flatMap(({ userId }) => (userId === null ? [] : [userId])));
  }

  /** How many do not show. */
  get count(): number {
    return this.hidden.length;
  }

  /** Tells these places from others. */
  get signature(): string {
    return this.places.join();
  }

  /** Whether a user's entry does not show. */
  has(userId: string): boolean {
    return this.users.has(userId);
  }

  /** How many before an archived place do not show. */
  before(place: number): number {
    return this.countWhile((hidden) => hidden < place);
  }

  /** The archived place of the entry that shows at a place. */
  archivedPlace(shown: number): number {
    // Of the hidden, as many are passed over as have fewer than `shown` before them that show.
    return shown + this.countWhile((hidden, index) => hidden - index <= shown);
  }

  /** How many of the first hidden places fit; none after them does. */
  private countWhile(fits: (hidden: number, index: number) => boolean): number {
    let [low, high] = [0, this.places.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (fits(this.places[middle] as number, middle)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** An entry that shows, with the places that it has among those who show but for the dense one. */
  shown(entry: ArchivedEntry): ArchivedEntry {
    if (this.count === 0) return entry;
    const { place, competition } = entry;
    return { ...entry, place: place - this.before(place), competition: competition - this.before(competition) };
  }

  /**
   * The dense places at which a score goes with its last entry that shows: a dense place counts those before it less.
   * One look for each score that somebody hidden has, 16 at a time.
   */
  async goneScores(shares: Shares): Promise<readonly number[]> {
    const groups = new Map<number, { readonly dense: number; count: number }>();
    for (const { competition, dense } of this.hidden) {
      const group = groups.get(competition);
      if (group) group.count += 1;
      else groups.set(competition, { dense, count: 1 });
    }
    const gone: number[] = [];
    for (const chunk of chunksOf([...groups], looksAtOnce)) {
      await Promise.all(
        chunk.map(async ([competition, { dense, count }]) => {
          if (!(await this.isShared(competition + count, competition, shares))) gone.push(dense);
        }),
      );
    }
    return gone.sort((a, b) => a - b);
  }

  private isShared(place: number, competition: number, shares: Shares): boolean | Promise<boolean> {
    const own = this.hidden[this.before(place)];
    return own?.place === place ? own.competition === competition : shares(place, competition);
  }
}
