import { defaultRules } from '@laurel/activity';
import { setTimeout as delay } from 'node:timers/promises';
import { ownRedis } from '../support/own-servers';
import { drawer, seed, shuffled } from '../support/seed';
import { waitUntil } from '../support/wait-until';
import { Caller } from './support/caller';
import { Crowd } from './support/crowd';
import { expectCleanAudit, expectEveryBoard } from './support/every-board';
import { MortalCommunity } from './support/mortal-community';
import { Prober } from './support/prober';
import { SickNetwork, sicknesses } from './support/sick-network';
import { pointsOnBoard, waitingIn } from './support/truth';
import { sampled } from '../support/sampled';
import { ownPostgres } from '../support/postgres';

/** The long run: `LAUREL_TEST_FAULTS=20`. */
const rounds = Number(process.env.LAUREL_TEST_FAULTS ?? sampled({ sample: 1, full: 5 }));
const key = 'the-key-of-the-tests';
const services = 4;

/**
 * How long a request may take at most, whatever the network does: a read a command's timeout, a recording
 * `recordTimeoutMs`, a change what it may wait for a connection and for a word on it. Watched at night alone, by the
 * clock of a machine that does other things as well.
 */
const within = (ms: number) => sampled({ sample: Infinity, full: ms + 5_000 });
const commandTimeoutMs = 900;
const readBoundMs = within(commandTimeoutMs);
const recordBoundMs = within(5_000);
const changeBoundMs = within(2_000 + 5_500);

/** A slow network makes each statement slow: that is no fault that a bound could end. */
const databaseSicknesses = sicknesses.filter((sickness) => sickness !== 'slow');

describe('a network that is sick under load', () => {
  let network: SickNetwork;
  let databaseNetwork: SickNetwork;
  let community: MortalCommunity;
  afterAll(async () => {
    await community.stop();
    await Promise.all([network.stop(), databaseNetwork.stop()]);
  });
  const [redis, postgres] = [ownRedis(), ownPostgres()];
  let crowd: Crowd;
  const draw = drawer();

  beforeAll(async () => {
    network = await SickNetwork.to(redis.servers.port);
    const url = new URL(postgres.servers.url);
    databaseNetwork = await SickNetwork.to(Number(url.port));
    url.port = String(databaseNetwork.port);
    community = await MortalCommunity.start({
      PORT: '0',
      REDIS_URL: `redis://127.0.0.1:${network.port}`,
      DATABASE_URL: url.href,
      LAUREL_API_KEY: key,
      LAUREL_COMMAND_TIMEOUT_MS: String(commandTimeoutMs),
      // Nothing is refused for being too much for a day.
      LAUREL_RULES: JSON.stringify(defaultRules),
    });
    crowd = await Crowd.gather(() => community.url, 8, draw);
  });

  it(
    'on the way to Redis: keeps every request within its bound, leaks nothing, and ends with the right boards',
    async () => {
      const { url } = community;
      await waitUntil(async () => (await waitingIn(postgres.client)) === 0);
      const [connections, heapMb] = [network.connections, await community.heapMb()];

      const prober = new Prober(url, ['read', 'record', 'ready', 'live']);
      prober.keepAsking('read', () => ['GET', '/ranks/all?limit=5']);
      prober.keepAsking('read', () => ['GET', `/ranks/all/users/${crowd.people[0]?.id}`]);
      prober.keepAsking('ready', () => ['GET', '/health/ready']);
      prober.keepAsking('live', () => ['GET', '/health/live']);
      let isOver = false;
      const sent = new Map<string, number>();
      /** Another service. Each event has a separate subject, is worth a point, and is sent until it is acknowledged. */
      const record = async (userId: string) => {
        const caller = new Caller(url);
        let count = 0;
        for (; !isOver; count += 2) {
          const events = [count, count + 1].map((n) => ({ userId, action: 'view', subject: `subject ${n}` }));
          await prober.insist(caller, 'record', 'POST', '/activity/events', { token: key, body: { events } });
          sent.set(userId, count + 2);
        }
        caller.leave();
      };
      const recording = Promise.all(Array.from({ length: services }, (_, n) => record(`service:${n}`)));
      const act = async () => {
        while (!isOver) await crowd.act(2);
      };
      const acting = act();

      for (let round = 0; round < rounds; round += 1) {
        for (const sickness of shuffled(sicknesses)) {
          await delay(200 + draw(300));
          network.fall(sickness);
          // One of them lasts longer than recording waits.
          await (sickness === 'silent' ? prober.hears('record', 1, 503) : prober.hears('live', 150));
          network.heal();
          await waitUntil(async () => (await fetch(`${url}/health/ready`)).status === 200);
        }
      }
      isOver = true;
      await Promise.all([recording, acting, prober.end()]);
      await waitUntil(async () => (await waitingIn(postgres.client)) === 0, { withinMs: 60_000 });

      const { rows } = await postgres.client.query<{ events: number }>('SELECT count(*)::int AS events FROM outbox');
      const direct = [...sent.values()].reduce((sum, count) => sum + count, 0);
      const heapAfterMb = await community.heapMb();
      const faults = rounds * sicknesses.length;
      process.stdout.write(
        `seed ${seed}: ${faults} faults, ${direct} events recorded over HTTP, ${rows[0]?.events} through the outbox; ` +
          `heap ${heapMb.toFixed(1)} to ${heapAfterMb.toFixed(1)} MB; ${JSON.stringify(prober.probed)}\n`,
      );
      const { read, record: recorded, ready, live } = prober.probed;
      for (const { statuses } of [read, recorded]) expect(Object.keys(statuses)).toEqual(['200', '503']);
      expect(Math.max(read.slowestMs, ready.slowestMs, live.slowestMs)).toBeLessThan(readBoundMs);
      expect(recorded.slowestMs).toBeLessThan(recordBoundMs);

      const shown = [...(await pointsOnBoard(url))].filter(([userId]) => userId.startsWith('service:'));
      expect(new Map(shown.sort())).toEqual(new Map([...sent].sort()));
      await expectEveryBoard(postgres.client, url);
      // A connection that was cut while it was sick may still be closing; one that is leaked stays.
      await waitUntil(() => network.connections === connections, { what: 'having no further connection' });
      expect(heapAfterMb).toBeLessThan(heapMb + 25);
    },
    240_000 + rounds * 60_000,
  );

  it('on the way to PostgreSQL: keeps every change within its bound, and has all its connections again', async () => {
    const { url } = community;
    const prober = new Prober(url, ['change', 'live']);
    prober.keepAsking('live', () => ['GET', '/health/live']);
    // More at once than there are connections: one that is lost for good shows.
    for (const { token } of crowd.people) {
      for (let n = 0; n < 3; n += 1) {
        prober.keepAsking('change', () => {
          const other = crowd.people[draw(crowd.people.length)]?.id;
          return [draw(2) === 0 ? 'PUT' : 'DELETE', `/users/${other}/follow`, { token }];
        });
      }
    }
    for (const sickness of shuffled(databaseSicknesses)) {
      await delay(200 + draw(300));
      databaseNetwork.fall(sickness);
      // One of them lasts longer than a change waits.
      await (sickness === 'silent' ? prober.hears('change', 1, 503) : prober.hears('live', 50 + draw(100)));
      databaseNetwork.heal();
      await waitUntil(async () => (await fetch(`${url}/health/ready`)).status === 200);
    }
    const wellAfter = prober.askedSince('change', 503);
    await waitUntil(() => wellAfter() > 300, { withinMs: 60_000 });
    await prober.end();
    process.stdout.write(`seed ${seed}: ${databaseSicknesses.length} faults; ${JSON.stringify(prober.probed)}\n`);
    expect(prober.probed.change.slowestMs).toBeLessThan(changeBoundMs);
    await expectEveryBoard(postgres.client, url);
    await expectCleanAudit({ REDIS_URL: redis.servers.url });
  });
});
