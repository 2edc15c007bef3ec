/** How many are remembered; forgetting one costs a round trip. */
const maxKnown = 10_000;

/**
 * The ledgers and lists of revokes that this process knows to have pages, by their keys. A call names the pages of
 * these alone: a script that meets another answers `crowded`, and the call is repeated.
 */
export class CrowdedHashes {
  private readonly known = new Set<string>();

  has(key: string): boolean {
    return this.known.has(key);
  }

  add(key: string): void {
    if (this.known.size >= maxKnown)
      for (const oldest of [...this.known].slice(0, maxKnown / 10)) this.known.delete(oldest);
    this.known.add(key);
  }
}
