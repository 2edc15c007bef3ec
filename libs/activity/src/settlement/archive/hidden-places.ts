import { firstPlace } from '@laurel/leaderboard/internals';
import type { ArchivedEntry, HiddenPlace, SettledPeriod, StandingsArchive } from './standings-archive';

/**
 * Numbers archived standings without those that are hidden, as if they had never been there. An archived place is one
 * of everyone's; a shown place is one of those who are shown.
 */
export class HiddenPlaces {
  /** Where everyone is shown. */
  static readonly none = new HiddenPlaces([]);

  /** Those of a settled period. One read of the archive, of all of them. */
  static async of(archive: StandingsArchive, { leaderboard, period }: SettledPeriod): Promise<HiddenPlaces> {
    return new HiddenPlaces((await archive.hidden?.(leaderboard, period)) ?? []);
  }

  private readonly places: readonly number[];
  /** The dense places that nobody shown has. */
  private readonly gone: readonly number[];
  private readonly users: ReadonlySet<string | null>;

  /** @param hidden in the order of their places. */
  constructor(hidden: readonly HiddenPlace[]) {
    this.places = hidden.map(({ place }) => place);
    this.gone = [...new Set(hidden.flatMap(({ dense, isScoreShown }) => (isScoreShown ? [] : [dense])))];
    this.users = new Set(hidden.map(({ userId }) => userId));
  }

  /** How many are hidden. */
  get count(): number {
    return this.places.length;
  }

  has(userId: string): boolean {
    return this.users.has(userId);
  }

  /** How many before an archived place are hidden. */
  before(place: number): number {
    return countWhile(this.places, (hidden) => hidden < place);
  }

  /** The archived place of the entry that is shown at a place. */
  archivedPlace(shown: number): number {
    // Of the hidden, as many are passed over as have fewer than `shown` before them that are shown.
    return shown + countWhile(this.places, (hidden, index) => hidden - index <= shown);
  }

  /** An entry that is shown, with the places that it has among those that are. */
  shown(entry: ArchivedEntry): ArchivedEntry {
    if (this.count === 0) return entry;
    const { place, competition, dense } = entry;
    return {
      ...entry,
      place: place - this.before(place),
      competition: competition - this.before(competition),
      dense: dense - countWhile(this.gone, (gone) => gone < dense),
    };
  }
}

/** How many of the first items fit; none after them does. */
function countWhile(items: readonly number[], fits: (item: number, index: number) => boolean): number {
  return firstPlace(items.length, (index) => fits(items[index] as number, index));
}
