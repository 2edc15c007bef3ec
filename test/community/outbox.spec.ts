import { defaultRules } from '@laurel/activity';
import { systemClock } from '@laurel/leaderboard';
import { ownRedis } from '../support/own-servers';
import { runCli } from '../support/run-cli';
import { announced, apiKey, ask, metricOf, ownCommunity, Person, pointsOf, untilPoints, waitUntil } from './support';

describe('the outbox of the community', () => {
  const own = ownRedis();
  let author: Person;
  let article: string;

  /** This host's clock runs behind the database's by so much. */
  let behindMs = 0;
  const clock = { now: () => systemClock.now() - behindMs };
  // Recording gives up soon, long before Redis is back.
  const community = ownCommunity(() => [{ redis: { url: own.servers.url }, recordTimeoutMs: 200, clock }]);

  const join = () => Person.register(community.app);
  const count = async (where: string): Promise<number> => {
    const { rows } = await community.database.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM outbox WHERE ${where}`,
    );
    return rows[0]?.count ?? 0;
  };
  const metric = (name: string) => metricOf(community.app, name);

  /** Waits until all is handed over and counted: that follows the commit, by a moment. */
  const settled = async () => {
    await waitUntil(async () => (await count('done_at IS NULL')) === 0);
    const done = await count('done_at IS NOT NULL');
    await waitUntil(async () => (await metric('laurel_outbox_delivered_total')) === done);
  };

  beforeAll(async () => {
    author = await join();
    article = await author.writes();
    await untilPoints(community.app, author, 10);
  });

  it('has the event if and only if it has the change', async () => {
    const reader = await join();
    // Now the event alone cannot be written.
    await community.database.query(
      `ALTER TABLE outbox ADD CONSTRAINT not_this CHECK (lane <> '${reader.id}') NOT VALID`,
    );
    expect((await reader.tries('PUT', `/articles/${article}/praise`)).status).toBe(500);
    const { rows } = await community.database.query('SELECT FROM reactions WHERE user_id = $1', [reader.id]);
    expect(rows).toHaveLength(0);
    await community.database.query('ALTER TABLE outbox DROP CONSTRAINT not_this');
    // Now the change is refused after its turn was taken.
    expect((await reader.tries('PUT', '/articles/999999/praise')).status).toBe(404);
    expect(await announced(community.database, reader, 'praise')).toHaveLength(0);
    expect((await reader.does('PUT', `/articles/${article}/praise`)).status).toBe(204);
    expect(await announced(community.database, reader, 'praise')).toHaveLength(1);
    await untilPoints(community.app, reader, 2);
  });

  it('outlasts a Redis that is away for longer than recording waits, and shows what waits', async () => {
    const reader = await join();
    await settled();
    const delivered = await metric('laurel_outbox_delivered_total');
    const failures = await metric('laurel_outbox_failures_total{by="receiver"}');
    await own.servers.stop();
    expect((await reader.does('PUT', `/articles/${article}/praise`)).status).toBe(204);
    expect((await reader.does('PUT', `/articles/${article}/collect`)).status).toBe(204);
    await waitUntil(async () => (await metric('laurel_outbox_failures_total{by="receiver"}')) >= failures + 3);
    const health = (what: string) => ask(community.app, 'GET', `/health/${what}`);
    expect((await health('live')).status).toBe(200);
    await waitUntil(async () => (await health('ready')).status === 503);
    expect((await health('ready')).body).toMatchObject({ status: 503, errors: [{ path: 'redis' }] });
    expect(await metric('laurel_outbox_waiting')).toBe(2);
    await community.database.query(
      `UPDATE outbox SET written_at = written_at - interval '1 hour' WHERE done_at IS NULL`,
    );
    expect(await metric('laurel_outbox_oldest_waiting_seconds')).toBeGreaterThan(3_600);
    await own.servers.restart();
    await waitUntil(async () => (await metric('laurel_outbox_waiting')) === 0);
    expect(await metric('laurel_outbox_oldest_waiting_seconds')).toBe(0);
    await waitUntil(async () => (await metric('laurel_outbox_delivered_total')) === delivered + 2);
    await untilPoints(community.app, reader, 4);
  });

  it('keeps back the events of one user behind one that no rule takes, for a minute, and a replay gives it', async () => {
    const [odd, reader] = [await join(), await join()];
    const event = "lane = $1 AND event->>'action' = 'collect'";
    const rules = defaultRules.filter(({ action }) => action !== 'collect');
    const posted = await ask(community.app, 'POST', '/activity/rules', { token: apiKey, body: { rules } });
    expect(posted.status).toBe(200);
    await odd.does('PUT', `/articles/${article}/collect`);
    await odd.does('PUT', `/articles/${article}/praise`);
    await reader.does('PUT', `/articles/${article}/praise`);
    await untilPoints(community.app, reader, 2);
    await waitUntil(async () => (await metric('laurel_outbox_failures_total{by="event"}')) >= 2);
    // Another version may have the rule: it is not given up at once.
    expect(await pointsOf(community.app, odd)).toBe(0);
    expect(await metric('laurel_outbox_missed_total{reason="unknownAction"}')).toBe(0);
    await community.database.query(
      `UPDATE outbox SET written_at = written_at - interval '1 minute', retry_at = clock_timestamp() WHERE ${event}`,
      [odd.id],
    );
    await untilPoints(community.app, odd, 2);
    await waitUntil(async () => (await metric('laurel_outbox_missed_total{reason="unknownAction"}')) === 1);
    expect((await ask(community.app, 'DELETE', '/activity/rules', { token: apiKey })).status).toBe(200);
    const env = { REDIS_URL: own.servers.url, LAUREL_PREFIX: community.prefix, DATABASE_URL: community.postgres.url };
    const { exitCode } = await runCli(['replay', '--since', '2020-01-01T00:00:00Z', '--json'], { env });
    expect(exitCode).toBe(0);
    await untilPoints(community.app, odd, 4);
  });

  it('keeps back a user alone whose data another program has written over', async () => {
    const [odd, reader] = [await join(), await join()];
    await odd.does('PUT', `/articles/${article}/praise`);
    await untilPoints(community.app, odd, 2);
    const [ledger = ''] = await own.client.keys(`{${community.prefix}:*}:ledger:*:${odd.id}`);
    await own.client.rename(ledger, 'aside');
    await own.client.set(ledger, 'x');
    for (const person of [odd, reader]) await person.does('PUT', `/articles/${article}/collect`);
    await untilPoints(community.app, reader, 2);
    await own.client.rename('aside', ledger);
    await untilPoints(community.app, odd, 4);
  });

  it('keeps for later what this host takes to lie in the future, and loses no points', async () => {
    const reader = await join();
    const failures = await metric('laurel_outbox_failures_total{by="receiver"}');
    behindMs = 400_000;
    await reader.does('PUT', `/articles/${article}/praise`);
    await waitUntil(async () => (await metric('laurel_outbox_failures_total{by="receiver"}')) >= failures + 2);
    expect(await count(`done_at IS NULL AND attempts = 0 AND lane = '${reader.id}'`)).toBe(1);
    behindMs = 0;
    await untilPoints(community.app, reader, 2);
  });

  it('counts events that come too late for a board, but neither cancels nor repeats of what it shows for good', async () => {
    const late = await join();
    const delivered = await metric('laurel_outbox_delivered_total');
    const happens = async (event: object, points: number) => {
      const told = JSON.stringify({ userId: late.id, action: 'praise', ...event });
      await community.database.query('SELECT outbox_write($1, $2)', [late.id, told]);
      await untilPoints(community.app, late, points, 'all');
    };
    const threeDaysMs = 3 * 86_400_000;
    await happens({ subject: 'x', occurredAt: new Date(clock.now() - threeDaysMs) }, 2);
    behindMs = threeDaysMs;
    await happens({ subject: 'y' }, 4);
    await happens({ action: 'follow', subject: 'user:z' }, 6);
    behindMs = 0;
    await happens({ subject: 'y', revoke: true }, 4);
    // A user followed again counts as of the first time, which the day's settled board still shows.
    await happens({ action: 'follow', subject: 'user:z', revoke: true }, 2);
    await happens({ action: 'follow', subject: 'user:z' }, 4);
    await waitUntil(async () => (await metric('laurel_outbox_delivered_total')) === delivered + 6);
    expect(await metric('laurel_outbox_missed_total{reason="closed"}')).toBe(1);
  });

  it('forgets what was handed over and is older than it is to be kept', async () => {
    const [old, recent] = [await join(), await join()];
    for (const reader of [old, recent]) {
      await reader.does('PUT', `/articles/${article}/praise`);
      await untilPoints(community.app, reader, 2);
    }
    const age = `UPDATE outbox SET written_at = written_at - $2 * interval '1 day' WHERE lane = $1`;
    for (const [{ id }, days] of [[old, 32] as const, [recent, 30] as const])
      await community.database.query(age, [id, days]);
    await waitUntil(async () => (await count('done_at IS NULL')) === 0);
    await community.forget();
    expect(await count(`lane = '${old.id}'`)).toBe(0);
    expect(await count(`lane = '${recent.id}'`)).toBe(1);
  });

  it('blames no event where Redis refuses the instance, and leaves all to others', async () => {
    const reader = await join();
    const failures = await metric('laurel_outbox_failures_total{by="receiver"}');
    await own.client.hset(`{${community.prefix}}:layout`, { format: '99' });
    await own.client.call('CLIENT', 'KILL', 'TYPE', 'normal');
    await waitUntil(async () => (await ask(community.app, 'GET', '/health/ready')).text.includes('format'));
    await reader.does('PUT', `/articles/${article}/praise`);
    await waitUntil(async () => (await metric('laurel_outbox_failures_total{by="receiver"}')) >= failures + 3);
    expect(await count('done_at IS NULL AND attempts = 0 AND retry_at IS NULL')).toBe(1);
    expect(await count('done_at IS NULL')).toBe(1);
  });
});

const community = ownCommunity(() => [{}, { outboxPollMs: 600_000 }]);

it('the outbox of a community that does not look by itself is recorded upon its commit: who commits wakes it', async () => {
  const [author, reader] = [await Person.register(community.app), await Person.register(community.app)];
  const article = await author.writes();
  const recorded = async () => {
    const { rows } = await community.database.query('SELECT FROM outbox WHERE done_at IS NULL');
    return rows.length === 0;
  };
  await waitUntil(recorded);
  for (let times = 0; times < 20; times += 1) {
    await reader.does(times % 2 === 0 ? 'PUT' : 'DELETE', `/articles/${article}/collect`);
    await waitUntil(recorded, { everyMs: 2 });
  }
  await waitUntil(async () => (await metricOf(community.app, 'laurel_outbox_delay_seconds_count')) === 21);
});
