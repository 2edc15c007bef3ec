/**
 * An app of somebody else's, on the Redis and the platform that its environment names. It does what an app does, prints
 * the answers as JSON and closes.
 */
import {
  AccountModule,
  type ActivityChange,
  ActivityModule,
  ActivityService,
  AdminModule,
  LiveModule,
  LiveRulesModule,
  ModerationModule,
  PraiseEvent,
  ScoreVisit,
  SettlementModule,
  TitlesModule,
  VisitInterceptor,
} from '@laurel/activity';
import { IngestModule, StreamProducer, StreamServer } from '@laurel/ingest';
import { outboxMigrations, Relay } from '@laurel/outbox';
import { ReportsModule } from '@laurel/reports';
import { laurelMatchers, TestLaurel } from '@laurel/testing';
import { Controller, Get, Module, Param } from '@nestjs/common';
import { APP_INTERCEPTOR, NestFactory } from '@nestjs/core';
import { EventEmitter2, EventEmitterModule } from '@nestjs/event-emitter';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { ScheduleModule } from '@nestjs/schedule';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { Cluster, Redis } from 'ioredis';
import { Pool } from 'pg';

const { PLATFORM, REDIS = '{}', TEST_REDIS, DATABASE_URL, LAUREL_PREFIX: prefix = '' } = process.env;
const server = JSON.parse(REDIS) as { url: string } | { nodes: { host: string; port: number }[] };
const stream = `${prefix}-activities`;

const activity = ActivityModule.forRoot({
  redis: server,
  prefix,
  currentUser: (request) => (request as { headers: Record<string, string | undefined> }).headers['x-user'] ?? null,
});

@Controller('articles')
class ArticlesController {
  @Get(':id')
  @ScoreVisit({ subject: ({ id }: { id: string }) => `article:${id}` })
  read(@Param('id') id: string) {
    return { id };
  }
}

@Module({
  imports: [
    EventEmitterModule.forRoot(),
    ScheduleModule.forRoot(),
    activity,
    IngestModule.register({ imports: [activity] }),
    ...[AccountModule, AdminModule, LiveModule, LiveRulesModule, ReportsModule].map((module) => module.forRoot()),
    ...[ModerationModule, SettlementModule, TitlesModule].map((module) => module.forRoot()),
  ],
  controllers: [ArticlesController],
  providers: [{ provide: APP_INTERCEPTOR, useClass: VisitInterceptor }],
})
class AppModule {}

/** Writes an activity in a transaction, and relays it to the app. */
async function relayOne(activities: ActivityService): Promise<void> {
  const pool = new Pool({ connectionString: DATABASE_URL });
  const { rows } = await pool.query<{ found: unknown }>("SELECT to_regclass('outbox') AS found");
  if (rows[0]?.found === null) for (const { up } of outboxMigrations) await pool.query(up);
  const client = await pool.connect();
  await client.query('BEGIN');
  const event = { userId: 'eve', action: 'view', subject: 'article:9' };
  await client.query('SELECT outbox_write($1, $2::json)', [event.userId, JSON.stringify(event)]);
  await client.query('COMMIT');
  client.release();
  let onDelivered = (): void => undefined;
  const delivered = new Promise<void>((resolve) => (onDelivered = resolve));
  const fail = (_: unknown, error: unknown) => console.error(error);
  const relay = new Relay<ActivityChange>({
    pool,
    receiver: {
      read: (body) => body as ActivityChange,
      deliver: async (changes) => {
        await activities.apply(changes);
        return null;
      },
      isAway: () => false,
      mayPass: () => false,
    },
    observer: { delivered: onDelivered, refused: fail, passed: fail, interrupted: fail },
  });
  relay.start();
  await delivered;
  await relay.stop(5_000);
  await pool.end();
}

/** What an app's own test does, with neither Jest nor Vitest. */
async function isMatched(): Promise<boolean> {
  const laurel = await TestLaurel.start({ redisUrl: TEST_REDIS, now: '2026-11-20T08:00:00Z' });
  const imports = [EventEmitterModule.forRoot(), ActivityModule.forRoot({ ...laurel.options, controllers: false })];
  const app = await NestFactory.createApplicationContext(
    { module: class TestedModule {}, imports },
    { logger: ['error'] },
  );
  await app.get(ActivityService).record({ userId: 'ann', action: 'praise', subject: 'article:1' });
  const state = { equals: Object.is };
  const today = await laurelMatchers.toHavePoints.call(state, app, 'ann', 2, 'day');
  laurel.clock.advance(86_400_000);
  const tomorrow = await laurelMatchers.toHavePoints.call(state, app, 'ann', 0, 'day');
  await app.close();
  await laurel.stop();
  return today.pass && tomorrow.pass;
}

async function main(): Promise<void> {
  const adapter = PLATFORM === 'express' ? new ExpressAdapter() : new FastifyAdapter();
  const app = await NestFactory.create(AppModule, adapter, { logger: ['error', 'warn'] });
  const { paths } = SwaggerModule.createDocument(app, new DocumentBuilder().build());
  const redis = 'url' in server ? new Redis(server.url) : new Cluster(server.nodes);
  app.connectMicroservice({ strategy: new StreamServer({ redis, stream }) });
  await app.startAllMicroservices();
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  const ask = (path: string) => fetch(`${url}${path}`, { headers: { 'x-user': 'cyd', connection: 'close' } });

  const activities = app.get(ActivityService);
  const praise = { userId: 'ann', action: 'praise', subject: 'article:1' } as const;
  const recorded = await activities.record([praise, praise, { ...praise, subject: 'article:2' }]);
  const revoked = await activities.revoke(praise);
  const event = new PraiseEvent({ userId: 'ben', subject: 'article:1' });
  await app.get(EventEmitter2).emitAsync(PraiseEvent.eventName, event);
  await ask('/articles/1');
  let page = { total: 0, entries: [] as { userId: string; rank: number; score: number }[] };
  // A visit is recorded after its answer.
  while (page.total < 3) page = (await (await ask('/ranks/day')).json()) as typeof page;
  await new StreamProducer({ redis, stream }).send([{ userId: 'dan', action: 'view', subject: 'article:9' }]);
  while (page.total < 4) page = (await (await ask('/ranks/day')).json()) as typeof page;
  await relayOne(activities);
  while (page.total < 5) page = (await (await ask('/ranks/day')).json()) as typeof page;

  const live = await ask('/ranks/day/stream');
  const reader = live.body?.getReader();
  const first = new TextDecoder().decode((await reader?.read())?.value);
  await reader?.cancel();
  const { status: refused } = await ask('/ranks/day?limit=0');
  await app.close();
  redis.disconnect();
  console.log(
    JSON.stringify({
      outcomes: [...recorded, revoked].map(({ outcome }) => outcome),
      leaders: page.entries.map(({ rank, userId, score }) => [rank, userId, score]),
      stream: first.includes('event: standings'),
      refused,
      isDocumented: Object.keys(paths).includes('/ranks/{leaderboard}/stream'),
      isMatched: await isMatched(),
    }),
  );
}

void main();
