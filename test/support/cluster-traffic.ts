import { Leaderboard, LeaderboardError, type Order, type RedisClient, type Score } from '@laurel/leaderboard';
import { shardOf } from '@laurel/leaderboard/internals';
import fc from 'fast-check';
import { ManualClock } from './clock';
import { LeaderboardModel, type ModelLayout } from './leaderboard-model';
import {
  compareEntries,
  compareReads,
  dimensionsOf,
  layouts,
  operationsOn,
  perform,
  scoreOf,
  start,
  type Judged,
} from './leaderboard-operations';
import { seed } from './seed';
import { waitUntil } from './wait-until';

/** How many shards boards and ledgers have here. */
export const shards = 16;

const names = Array.from({ length: 500 }, (_, i) => `user-${i}`);
const ofShard = (shard: number): string[] => names.filter((name) => shardOf(name, shards) === shard).slice(0, 3);

/** Three of each shard, and some more. */
export const members = [
  'a',
  'b',
  'c',
  '{x}:y\n',
  ...Array.from({ length: shards }, (_, shard) => ofShard(shard)).flat(),
];

/**
 * Calls that follow one another without a pause, each judged, while something happens to the servers. A wrong answer
 * ends them; so does a failure, but for `unavailable` of a call during part of which a master was missing.
 */
export class Traffic {
  private outages = 0;
  private isOut = false;
  private answered = 0;
  private stopping = false;
  private fault: Error | undefined;
  private readonly ended: Promise<void>;

  /** @param step one call, or a few, and the comparison of what they answer */
  constructor(private readonly step: () => Promise<void>) {
    this.ended = this.run();
  }

  /** Says that a master is about to go. */
  outageBegins(): void {
    this.outages++;
    this.isOut = true;
  }

  /** Says that every slot is served again: calls that begin from here on must not fail. */
  outageEnds(): void {
    this.isOut = false;
  }

  /** Waits until `count` more calls were answered. @throws what ended the traffic */
  async goesOn(count: number): Promise<void> {
    const wanted = this.answered + count;
    await this.until('traffic', () => Promise.resolve(this.answered >= wanted));
  }

  /** Waits until something holds that the traffic brings about. @throws what ended the traffic */
  async until(what: string, condition: () => Promise<boolean>): Promise<void> {
    await waitUntil(async () => this.fault !== undefined || (await condition()), { withinMs: 60_000, what });
    this.check();
  }

  /** Ends it after the call that is under way. @throws what ended it before */
  async stop(): Promise<void> {
    this.stopping = true;
    await this.ended;
    this.check();
  }

  private check(): void {
    if (this.fault !== undefined) throw this.fault;
  }

  private async run(): Promise<void> {
    while (!this.stopping && this.fault === undefined) {
      const { outages, isOut } = this;
      try {
        await this.step();
        this.answered++;
      } catch (error) {
        const mayFail = isOut || this.outages > outages;
        if (mayFail && error instanceof LeaderboardError && error.code === 'unavailable') continue;
        this.fault = new Error("A call failed, or its answer is not the model's.", { cause: error });
      }
    }
  }
}

/** A board that expires one day, as most do, with entries of all members, and its model. */
export async function judgedBoard(
  redis: RedisClient,
  { key, layout, order }: { key: string; layout: ModelLayout; order: Order },
): Promise<Judged> {
  const clock = new ManualClock(start);
  const engine = new Leaderboard<Score>(redis, { key, shards, layout: layouts[layout], order, clock });
  const model = new LeaderboardModel<Score>({ layout, order, dimensions: dimensionsOf(order), clock });
  await engine.expireAt(new Date('2100-01-01'));
  const lines = members.map((member, i) => ({ member, score: scoreOf(layout, i % 5), at: new Date(start) }));
  await engine.setMany(lines);
  model.writeAll('set', lines);
  return { engine, model, layout, update: 'set', clock };
}

/** Reads of every kind, of a board that nobody writes. */
export function reading(board: Judged): Traffic {
  return new Traffic(() => compareReads(board));
}

/** Writes of every kind, each followed by a comparison of every entry. */
export function writing(board: Judged): Traffic {
  const operations = fc.sample(operationsOn(members), { seed, numRuns: 1_000 });
  let next = 0;
  return new Traffic(async () => {
    await perform(board, operations[next++ % operations.length] as (typeof operations)[number]);
    await compareEntries(board);
  });
}
