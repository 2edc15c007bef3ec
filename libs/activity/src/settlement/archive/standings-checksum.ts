import { createHash } from 'node:crypto';
import type { ArchivedEntry } from './standings-archive';

/** The checksum of standings, fed in the order of their places: a `SettledPeriod`'s `checksum`. */
export class StandingsChecksum {
  private readonly hash = createHash('sha256');

  /** Feeds the next entries. */
  add(entries: readonly ArchivedEntry[]): void {
    let lines = '';
    for (const { place, userId, score, reachedAtMs } of entries) {
      lines += `${place} ${JSON.stringify(userId)} ${score} ${reachedAtMs}\n`;
    }
    this.hash.update(lines);
  }

  /** In hex. Nothing can be added after it. */
  digest(): string {
    return this.hash.digest('hex');
  }
}
