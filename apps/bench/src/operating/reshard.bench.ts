import { Ledger, LeaderboardError, Resharding, type Transition } from '@laurel/leaderboard';
import { startRedis } from '@laurel/servers';
import { Redis } from 'ioredis';
import { setTimeout as delay } from 'node:timers/promises';
import type { BenchContext, Benchmark } from '../harness/context';
import { lehmer } from '../harness/random';
import { compare } from '../harness/sample';

const prefix = 'bench';
const atMs = Date.parse('2036-11-20T12:00:00Z');
const filledAtOnce = 500;
/** As many as the recorder puts into a call at most. */
const recordedAtOnce = 64;
const shardCounts = [8, 16] as const;

/** Moves all members to another number of shards while recording goes on, against recording alone. */
export const reshardBench: Benchmark = {
  name: 'reshard',
  title: 'all members move to another number of shards while recording goes on',
  members: [100_000],
  rounds: 1,
  async run({ memberCounts, rounds, report, say }: BenchContext): Promise<void> {
    for (const members of memberCounts) {
      const server = await startRedis();
      const [redis, mover] = [new Redis(server.url), new Redis(server.url)];
      try {
        const ledger = openLedger(redis);
        await ledger.prepare();
        for (let first = 0; first < members; first += filledAtOnce) {
          const users = Array.from({ length: Math.min(filledAtOnce, members - first) }, (_, i) => first + i);
          await ledger.apply(users.flatMap((user) => [did(user, 'v', user), did(user, 'p', user)]));
          if (first % 100_000 === 0) say(`${first.toLocaleString('en')} members are there`);
        }
        let at = 0;
        const moved = async () => {
          const traffic = new Traffic(ledger, members);
          const startedAt = performance.now();
          at = 1 - at;
          const done = await new Resharding(mover, { prefix, shards: shardCounts[at] as number }).run();
          const seconds = (performance.now() - startedAt) / 1_000;
          return [...(await traffic.stop()), seconds, done.sealedMs, done.copied];
        };
        const alone = async () => {
          const traffic = new Traffic(ledger, members);
          await delay(5_000);
          return [...(await traffic.stop()), 1, 1, 1];
        };
        report(
          await compare(moved, alone, {
            setting: `${members.toLocaleString('en')} members, from ${shardCounts.join(' to ')} shards or back`,
            baselineName: 'recording while nobody moves',
            metrics: [
              { name: 'reshard: recorded meanwhile', unit: 'activities/s', target: null },
              { name: 'reshard: longest wait of a call', unit: 'ms', target: null },
              { name: 'reshard: time', unit: 's', target: null, isAlone: true },
              { name: 'reshard: recording stood still', unit: 'ms', target: null, isAlone: true },
              { name: 'reshard: copied', unit: 'keys and entries', target: null, isAlone: true },
            ],
            rounds,
            isLong: true,
          }),
        );
      } finally {
        for (const client of [redis, mover]) client.disconnect();
        await server.stop();
      }
    }
  },
};

function openLedger(redis: Redis): Ledger {
  return new Ledger(redis, {
    ...{ prefix, shards: shardCounts[0], clock: { now: () => atMs } },
    boards: (['day', 'month', 'all'] as const).map((period) => ({
      name: period,
      period,
      retentionMs: null,
      latenessMs: 3_600_000,
    })),
  });
}

function did(user: number, action: string, subject: number): Transition {
  return {
    ...{ kind: 'grant', member: `user-${user}`, field: `${action}:article:${subject}`, points: 1 },
    occurredAtMs: atMs - (user % 10_000),
  };
}

/** Records, one call after the other, until it is stopped. */
class Traffic {
  private readonly over = new AbortController();
  private readonly done: Promise<readonly number[]>;

  constructor(
    private readonly ledger: Ledger,
    private readonly members: number,
  ) {
    this.done = this.run();
  }

  /** How many activities were recorded a second, and how long the longest call waited, in ms. */
  async stop(): Promise<readonly number[]> {
    this.over.abort();
    return this.done;
  }

  private async run(): Promise<readonly number[]> {
    const random = lehmer(1);
    const any = () => Math.floor(random() * this.members);
    const startedAt = performance.now();
    let [recorded, longest] = [0, 0];
    while (!this.over.signal.aborted) {
      const some = Array.from({ length: recordedAtOnce }, () => did(any(), 'c', any()));
      const sentAt = performance.now();
      await this.insist(some);
      longest = Math.max(longest, performance.now() - sentAt);
      recorded += recordedAtOnce;
    }
    return [(recorded * 1_000) / (performance.now() - startedAt), longest];
  }

  /** As an app's recorder does: what was refused while members moved is sent again. */
  private async insist(some: readonly Transition[]): Promise<void> {
    for (;;) {
      try {
        await this.ledger.apply(some);
        return;
      } catch (error) {
        if (!(error instanceof LeaderboardError && error.code === 'unavailable')) throw error;
        await delay(5);
      }
    }
  }
}
