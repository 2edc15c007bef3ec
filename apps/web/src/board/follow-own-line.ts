import { now } from '../browser/clock';
import { asApiError } from '../http/api-error';
import type { OwnPlace } from '../live/watch';
import type { Standing } from '../ranks/ranks';

/** The least time between two readings: when the user has moved, and when they may have. */
const soonMs = 700;
const askedMs = 2_000;
const movedMs = 5_000;

/** How to read the line, and the function that takes it. */
export interface OwnLineWish {
  readonly read: (signal: AbortSignal) => Promise<Standing>;
  readonly hear: (standing: Standing) => void;
}

/** Events that may change a user's own line. */
export interface OwnLine {
  /** The user has moved: shown at once, and the whole line read soon. */
  told: (place: OwnPlace) => void;
  /** The board was asked again: read every two seconds at most. */
  asked: () => void;
  /**
   * Others moved, which changes little of the user's own line: each page reads it every five to ten seconds at most.
   */
  moved: () => void;
  stop: () => void;
}

/** Keeps a user's own standing up to date, with as few readings as that needs. */
export function followOwnLine({ read, hear }: OwnLineWish): OwnLine {
  const abort = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let held: Standing | null = null;
  /** Events since the last read began: they are newer than its answer may be. */
  let told: OwnPlace | null = null;
  let isReading = false;
  let readAtMs = -Infinity;
  let dueMs = Infinity;

  function show(standing: Standing): void {
    held = standing;
    hear(standing);
  }

  /** Reads so long after the last reading, or after now where that is longer ago. */
  function within(ms: number, patienceMs = 0): void {
    dueMs = Math.min(dueMs, Math.max(readAtMs + ms, now().getTime()) + patienceMs);
    plan();
  }

  function plan(): void {
    clearTimeout(timer);
    if (isReading || dueMs === Infinity || abort.signal.aborted) return;
    timer = setTimeout(() => void turn(), Math.max(0, dueMs - now().getTime()));
  }

  async function turn(): Promise<void> {
    [isReading, readAtMs, dueMs, told] = [true, now().getTime(), Infinity, null];
    try {
      const standing = await read(abort.signal);
      if (abort.signal.aborted) return;
      take(standing, told);
    } catch (error) {
      // The board itself says what is wrong, and its next change asks again.
      if (!abort.signal.aborted) console.debug(asApiError(error).message);
    }
    isReading = false;
    plan();
  }

  function take(standing: Standing, meanwhile: OwnPlace | null): void {
    const isOlder = meanwhile !== null && isElsewhere(standing, meanwhile);
    show(isOlder ? withPlace(standing, meanwhile) : standing);
    if (isOlder) within(soonMs);
  }

  return {
    told(place) {
      told = place;
      if (held && isElsewhere(held, place)) {
        show(withPlace(held, place));
        if (!isReading) within(soonMs);
      } else if (!held && !isReading) within(soonMs);
    },
    asked: () => within(held ? askedMs : soonMs),
    moved: () => (held ? within(movedMs, Math.random() * movedMs) : within(soonMs)),
    stop() {
      abort.abort();
      clearTimeout(timer);
    },
  };
}

function isElsewhere({ period, entry }: Standing, place: OwnPlace): boolean {
  return period.key !== place.period || entry.rank !== place.entry.rank || entry.score !== place.entry.score;
}

/** A standing with a newer place, as far as that is told: of another period, and of who is kept off, nothing is. */
function withPlace(standing: Standing, { period, total, entry: { rank, score, reachedAt } }: OwnPlace): Standing {
  if (standing.period.key !== period || standing.excluded) return standing;
  return { ...standing, total, entry: { ...standing.entry, rank, score, reachedAt } };
}
