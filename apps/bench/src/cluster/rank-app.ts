import {
  ActivityModule,
  MostFollowed,
  MostPraised,
  NewcomerOfTheWeek,
  NightOwl,
  SettlementModule,
  SevenDayStreak,
  TitlesModule,
} from '@laurel/activity';
import { Ledgers, type Tally } from '@laurel/activity/internals';
import type { Transition } from '@laurel/leaderboard';
import { startRedis, startRedisCluster } from '@laurel/servers';
import { type INestApplicationContext, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { EventEmitterModule } from '@nestjs/event-emitter';
import { Cluster, Redis } from 'ioredis';
import { CommandCount } from './command-count';

const dayMs = 86_400_000;

/** Users who did something on each of the last 31 days; the others did on the last two. */
export const steady = 5;

const tallies: readonly Tally[] = ['received:praise', 'received:follow'];

@Module({ providers: [MostFollowed, MostPraised, NewcomerOfTheWeek, NightOwl, SevenDayStreak] })
class FiveRules {}

/** One Redis, or a Cluster of three masters. */
export interface Servers {
  readonly client: Redis | Cluster;
  /** A connection to each server. */
  readonly each: readonly Redis[];
  stop(): Promise<void>;
}

export async function openOneRedis(): Promise<Servers> {
  const server = await startRedis();
  const client = new Redis(server.url);
  const stop = async () => {
    client.disconnect();
    await server.stop();
  };
  return { client, each: [client], stop };
}

export async function openCluster(): Promise<Servers> {
  // As the one Redis: nothing is written to disk.
  const cluster = await startRedisCluster({ masters: 3, args: ['--appendonly', 'no'] });
  const client = new Cluster([...cluster.nodes]);
  const each = cluster.servers.map(({ url }) => new Redis(url));
  const stop = async () => {
    for (const connection of [client, ...each]) connection.disconnect();
    await cluster.stop();
  };
  return { client, each, stop };
}

/** The module with past periods and titles, over boards with so many users on them. */
export class RankApp {
  private constructor(
    readonly nest: INestApplicationContext,
    readonly count: CommandCount,
    readonly servers: Servers,
    private readonly clock: { nowMs: number },
  ) {}

  static async open(servers: Servers, shards: number, members: number): Promise<RankApp> {
    // At noon, so that a late hour does not change what is measured.
    const clock = { nowMs: Math.floor(Date.now() / dayMs) * dayMs + dayMs / 2 };
    const count = new CommandCount(servers.client);
    const activity = ActivityModule.forRoot({
      redis: { client: servers.client },
      prefix: `bench${shards}`,
      shards,
      clock: { now: () => clock.nowMs },
      controllers: false,
      latenessMs: 40 * dayMs,
      leaderboards: [{ name: 'day', period: 'day', tallies }],
      firstDays: true,
      commandTimeoutMs: 30_000,
      recordTimeoutMs: 30_000,
    });
    const nest = await NestFactory.createApplicationContext(
      {
        module: FiveRules,
        imports: [
          EventEmitterModule.forRoot(),
          activity,
          SettlementModule.forRoot({ settles: false }),
          TitlesModule.forRoot(),
        ],
      },
      { logger: false },
    );
    const app = new RankApp(nest, count, servers, clock);
    await app.fill(members);
    return app;
  }

  /** The app's present moment. */
  get nowMs(): number {
    return this.clock.nowMs;
  }

  /** Lets everything pass that is cached for `cacheMs`. */
  pass(): void {
    this.clock.nowMs += 10_000;
  }

  private async fill(members: number): Promise<void> {
    const { main } = this.nest.get(Ledgers);
    const { nowMs } = this.clock;
    const did = (user: number, day: number): Transition => ({
      kind: 'grant',
      member: `user-${user}`,
      field: `p:article:${day}`,
      points: 1 + (user % 50),
      occurredAtMs: nowMs - day * dayMs - (user % 10_000) * 1_000,
    });
    for (let first = 0; first < members; first += 500) {
      const users = Array.from({ length: Math.min(500, members - first) }, (_, i) => first + i);
      await main.apply(users.flatMap((user) => [did(user, 1), did(user, 0)]));
    }
    for (let user = 0; user < steady; user++) {
      await main.apply(Array.from({ length: 29 }, (_, i) => did(user, i + 2)));
    }
  }
}
