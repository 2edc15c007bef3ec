/** Draws, by a Lehmer generator: the same seed draws the same again. */
export class Chance {
  private state: number;

  constructor(seed: number) {
    this.state = (seed % 2_147_483_646) + 1;
    // The first draws of small seeds are all small.
    for (let i = 0; i < 3; i += 1) this.draw();
  }

  /** From 0 up to, but not with, 1. */
  draw(): number {
    this.state = (this.state * 48_271) % 2_147_483_647;
    return this.state / 2_147_483_647;
  }

  /** From `from` up to, but not with, `to`. */
  between(from: number, to: number): number {
    return from + this.draw() * (to - from);
  }

  /** Whether something happens that happens this often. */
  happens(often: number): boolean {
    return this.draw() < often;
  }

  /** Any one of them, each as likely; undefined where there is none. */
  anyOf<T>(items: readonly T[]): T | undefined {
    return items[Math.floor(this.draw() * items.length)];
  }

  /** Any one of them, each as likely as its weight says. */
  weighted<T>(items: readonly (readonly [weight: number, item: T])[]): T {
    let left = this.draw() * items.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, item] of items) {
      left -= weight;
      if (left < 0) return item;
    }
    throw new Error('There is nothing to choose from.');
  }
}
