import { setTimeout as delay } from 'node:timers/promises';
import { waitUntil } from '../../support/wait-until';
import { type Asked, Caller, CutError } from './caller';

/** Each kind of request: what was answered, and how long the slowest took. */
export interface Probed {
  readonly statuses: Record<number, number>;
  slowestMs: number;
}

/** Asks without a pause, and notes how long each kind of request takes and what is answered. */
export class Prober<Kind extends string> {
  readonly probed: Record<Kind, Probed>;
  private readonly asking: Promise<void>[] = [];
  private isOver = false;

  constructor(
    private readonly url: string,
    kinds: readonly Kind[],
  ) {
    const none = kinds.map((kind) => [kind, { statuses: {}, slowestMs: 0 }]);
    this.probed = Object.fromEntries(none) as Record<Kind, Probed>;
  }

  /** Keeps asking for one thing after the other, on a connection of its own. */
  keepAsking(kind: Kind, next: () => readonly [method: string, path: string, asked?: Asked]): void {
    const caller = new Caller(this.url);
    const loop = async () => {
      while (!this.isOver) {
        await this.ask(caller, kind, ...next());
        await delay(5);
      }
      caller.leave();
    };
    this.asking.push(loop());
  }

  /** Asks for the same until it is answered otherwise than by 503. */
  async insist(caller: Caller, kind: Kind, ...asked: Parameters<Caller['ask']>): Promise<void> {
    while ((await this.ask(caller, kind, ...asked)) === 503) await delay(50);
  }

  /** Waits until so many more were answered, with this status where one is named. */
  async hears(kind: Kind, more: number, status?: number): Promise<void> {
    const count = () => (status === undefined ? this.answered(kind) : (this.probed[kind].statuses[status] ?? 0));
    const enough = count() + more;
    await waitUntil(() => count() >= enough, { withinMs: 120_000, what: `${more} more answers to ${kind}` });
  }

  /** Gives how many were answered since the last one of this status. */
  askedSince(kind: Kind, status: number): () => number {
    let last = { bad: -1, all: 0 };
    return () => {
      const { statuses } = this.probed[kind];
      const bad = statuses[status] ?? 0;
      const all = this.answered(kind);
      if (bad !== last.bad) last = { bad, all };
      return all - last.all;
    };
  }

  private answered(kind: Kind): number {
    return Object.values(this.probed[kind].statuses).reduce((sum, count) => sum + count, 0);
  }

  async end(): Promise<void> {
    this.isOver = true;
    await Promise.all(this.asking);
  }

  /** @returns the status. @throws CutError without a complete answer, or for a 503 without Retry-After. */
  private async ask(caller: Caller, kind: Kind, ...asked: Parameters<Caller['ask']>): Promise<number> {
    const startedMs = performance.now();
    const answer = await caller.ask(...asked);
    if (!answer) throw new CutError(`${kind}: no connection`);
    const { status, headers } = answer;
    if (status === 503 && !headers['content-type']?.includes('problem+json')) throw new CutError(`${kind}: a bare 503`);
    const probed = this.probed[kind];
    probed.statuses[status] = (probed.statuses[status] ?? 0) + 1;
    probed.slowestMs = Math.max(probed.slowestMs, Math.round(performance.now() - startedMs));
    return status;
  }
}
