import { Redis } from 'ioredis';
import { ActivityHealth, type ActivityModuleOptions } from '@laurel/activity';
import type { RankPage } from '@laurel/activity/internals';
import { startRedis, type RedisServer } from '@laurel/servers';
import { SickNetwork } from '../../faults/support/sick-network';
import { EventStream } from '../../support/event-stream';
import { patient } from '../../support/patient';
import { afterThisTest, freshPrefix, ManualClock, TinyApp, waitUntil, withKey } from './support';

/** A master, and a replica of it, as another region would have one. */
let master: RedisServer;
let replica: RedisServer;

beforeAll(async () => {
  master = await startRedis();
  replica = await startRedis({ args: ['--replicaof', master.host, String(master.port)] });
});
afterAll(async () => {
  await replica.stop();
  await master.stop();
});

const leaderboards: ActivityModuleOptions['leaderboards'] = [
  { name: 'day', period: 'day' },
  { name: 'month', period: 'month' },
  { name: 'last-7-days', rolling: { days: 7 } },
];

async function bothRegions() {
  const clock = new ManualClock('2036-11-20T08:00:00Z');
  const options = { prefix: freshPrefix(), clock, settlement: false, leaderboards } as const;
  const writing = await TinyApp.start({ options: { ...options, redis: { url: master.url } } });
  await writing.record({ userId: 'ada', action: 'praise', subject: 'article:7' });
  await caughtUp();
  const reading = await TinyApp.start({
    // What it cannot record it gives up soon.
    options: { ...options, redis: { url: replica.url }, streams: { everyMs: 100 }, recordTimeoutMs: 1_000 },
  });
  return { clock, writing, reading };
}

/** Waits until the replica has what the master has. */
async function caughtUp(): Promise<void> {
  const client = new Redis(master.url);
  await client.set('caught-up', '1');
  await client.wait(1, 0);
  client.disconnect();
}

describe('an app whose Redis is a replica', () => {
  it('reads live standings, and follows what the other region records', async () => {
    const { clock, writing, reading } = await bothRegions();
    const leaders = async () =>
      (await reading.get<RankPage>('/ranks/day')).body.entries.map(({ userId, score }) => `${userId} ${score}`);
    expect(await leaders()).toEqual(['ada 2']);
    expect(await reading.get('/ranks/month/users/ada')).toMatchObject({ status: 200, body: { entry: { rank: 1 } } });
    expect(await reading.get('/ranks/day/users/ada/around')).toMatchObject({ status: 200 });
    const stream = await EventStream.open(`${await reading.nest.getUrl()}/ranks/day/stream`, {});

    clock.advance(1_000);
    await writing.record(
      { userId: 'eve', action: 'praise', subject: 'article:7' },
      { userId: 'eve', action: 'praise', subject: 'article:8' },
    );
    await caughtUp();
    clock.advance(10_000);
    await waitUntil(async () => (await leaders()).length === 2);
    expect(await leaders()).toEqual(['eve 4', 'ada 2']);
    await waitUntil(() => stream.events.some(({ data }) => JSON.stringify(data).includes('eve')));
  });

  it('records nothing, says why, and stays alive', async () => {
    const { reading } = await bothRegions();
    const events = [{ userId: 'eve', action: 'praise', subject: 'article:9' }];
    expect(await reading.post('/activity/events', { events }, withKey)).toMatchObject({ status: 503 });
    expect(await reading.nest.get(ActivityHealth).check('redis')).toMatchObject({
      redis: { status: 'down', message: expect.stringMatching(/READONLY/) },
    });
    expect((await reading.get('/ranks/day')).status).toBe(200);
  });

  it('shows a rolling window once the writing region has read it, and answers 503 until then', async () => {
    const { writing, reading } = await bothRegions();
    expect(await reading.get('/ranks/last-7-days')).toMatchObject({ status: 503 });
    expect(await writing.get('/ranks/last-7-days')).toMatchObject({ status: 200 });
    await caughtUp();
    expect(await reading.get('/ranks/last-7-days')).toMatchObject({ status: 200, body: { total: 1 } });
  });

  it('as the address leads to another master by now, is left for that one', async () => {
    const network = await SickNetwork.to(master.port);
    afterThisTest(() => network.stop());
    const app = await TinyApp.start({ options: { redis: { url: `redis://127.0.0.1:${network.port}` }, ...patient } });
    const praise = { userId: 'ada', action: 'praise', subject: 'article:7' };
    await app.record(praise);
    await caughtUp();
    const [before, next] = [master, replica].map(({ url }) => new Redis(url)) as [Redis, Redis];
    afterThisTest(() => [before, next].forEach((client) => client.disconnect()));
    await next.replicaof('NO', 'ONE');
    await before.replicaof(replica.host, replica.port);
    network.leadTo(replica.port);
    const { results } = (await app.record({ ...praise, subject: 'article:8' })).body;
    expect(results).toMatchObject([{ outcome: 'granted', scores: { day: 4 } }]);
  });
});
