import { writeEvent } from '@laurel/outbox';
import { startPostgres } from '@laurel/servers';
import { systemClock } from '@laurel/leaderboard';
import { join } from 'node:path';
import { Pool } from 'pg';
import { migrate, ownPostgres } from '../../support/postgres';
import { afterThisTest, freshPrefix, testRedisUrl } from '../../support';
import { runCli } from '../../support/run-cli';
import { temporaryFolder } from '../../support/temporary-folder';

const long = new Date(systemClock.now() - 3_600_000).toISOString();

describe('laurel replay', () => {
  const postgres = ownPostgres();
  let env: NodeJS.ProcessEnv;

  const praise = (userId: string, n: number) => ({
    userId,
    action: 'praise',
    subject: `article:${n}`,
    occurredAt: new Date(systemClock.now()).toISOString(),
    sequence: n,
  });
  const replay = async (...args: string[]) => runCli(['replay', '--since', long, '--json', ...args], { env });

  beforeEach(async () => {
    await postgres.client.query('TRUNCATE outbox');
    env = { REDIS_URL: testRedisUrl(), LAUREL_PREFIX: freshPrefix(), DATABASE_URL: postgres.servers.url };
  });

  it('records every event since the moment, waiting or handed over, and nothing twice', async () => {
    for (let n = 1; n <= 3; n += 1) await writeEvent(postgres.client, 'ann', praise('ann', n));
    await postgres.client.query('UPDATE outbox SET done_at = written_at WHERE id = (SELECT min(id) FROM outbox)');
    await writeEvent(postgres.client, 'ann', { ...praise('ann', 2), sequence: 9, revoke: true });
    const first = await replay();
    expect(JSON.parse(first.out)).toMatchObject({ activities: 4, points: 4, outcomes: { granted: 3, revoked: 1 } });
    expect(first.err).toMatch(/^Replaying: /);
    expect(first.err).not.toContain('Nothing but duplicates');
    await postgres.client.query('DELETE FROM outbox WHERE id = (SELECT max(id) FROM outbox)');
    const second = await replay();
    expect(JSON.parse(second.out)).toMatchObject({ activities: 3, points: 0, outcomes: { duplicate: 3 } });
    expect(second.err).toContain('Nothing but duplicates: that proves nothing of the boards. Run "verify".\n');
  });

  it('leaves alone what was written before the moment', async () => {
    await writeEvent(postgres.client, 'ann', praise('ann', 1));
    await postgres.client.query(`UPDATE outbox SET written_at = written_at - interval '2 hours'`);
    await writeEvent(postgres.client, 'ann', praise('ann', 2));
    const { out } = await replay();
    expect(JSON.parse(out)).toMatchObject({ activities: 1, points: 2 });
  });

  it('leaves out what no rule takes, says so, and goes on', async () => {
    await writeEvent(postgres.client, 'ann', { ...praise('ann', 1), action: 'unheard-of' });
    await writeEvent(postgres.client, 'ann', { nonsense: true });
    await writeEvent(postgres.client, 'ann', praise('ann', 1));
    const { exitCode, out, err } = await replay();
    expect(exitCode).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ activities: 1, points: 2 });
    expect(err).toContain('Left out, as no rule of these settings takes them: 2.\n');
  });

  it('stops between two pages when interrupted, and goes on when run again', async () => {
    await postgres.client.query(
      `INSERT INTO outbox (lane, event, written_at)
       SELECT 'ann', json_build_object('userId', 'ann', 'action', 'praise', 'subject', 'article:' || n), clock_timestamp()
       FROM generate_series(1, 2000) n`,
    );
    const args = ['replay', '--since', long, '--json'];
    const interrupted = await runCli(args, { env, interruptAt: 'Replaying: 500' });
    expect(interrupted.exitCode).toBe(130);
    expect(interrupted.err).toMatch(
      /Interrupted\. At least [\d,]+ of 2,000 events are recorded\. Run the same command again/,
    );
    const { points } = JSON.parse((await replay()).out) as { points: number };
    expect(points).toBeGreaterThan(0);
    expect(points).toBeLessThan(4_000);
    expect(JSON.parse((await replay()).out)).toMatchObject({ activities: 2_000, points: 0 });
  });

  it.each([
    [['--since', 'yesterday'], '--since is "yesterday": use a moment such as 2026-11-01T00:00:00Z.'],
    [['--since', '2026-11-01'], '--since is "2026-11-01": use a moment such as'],
    [['--since', '2026-11-01T00:00:00'], '--since is "2026-11-01T00:00:00": use a moment such as'],
    [[], "required option '--since <moment>' not specified"],
  ])('refuses %j', async (args, message) => {
    const { exitCode, err } = await runCli(['replay', ...args], { env });
    expect(exitCode).toBe(1);
    expect(err).toContain(message);
  });

  it('says where the database does not answer, or is another', async () => {
    const away = await runCli(['replay', '--since', long], {
      env: { ...env, DATABASE_URL: 'postgres://me:secret@127.0.0.1:1/laurel' },
    });
    expect(away).toMatchObject({
      exitCode: 1,
      err: 'The database does not answer: start it, or correct DATABASE_URL.\n',
    });
    // What another community's outbox has is not this one's.
    await writeEvent(postgres.client, 'ann', praise('ann', 1));
    await replay();
    await postgres.client.query('UPDATE outbox_database SET id = gen_random_uuid()');
    const mixed = await replay();
    expect(mixed).toMatchObject({ exitCode: 1, err: expect.stringMatching(/of two apps/) });
    await postgres.client.query('ALTER TABLE outbox RENAME TO elsewhere');
    const other = await replay();
    await postgres.client.query('ALTER TABLE elsewhere RENAME TO outbox');
    expect(other).toMatchObject({ exitCode: 1, err: expect.stringMatching(/^The database has no outbox: /) });
  });
});

const dataDir = temporaryFolder();

it('laurel replay without DATABASE_URL reads the private server in the data folder, whether it runs or not', async () => {
  const env = { REDIS_URL: testRedisUrl(), LAUREL_PREFIX: freshPrefix(), LAUREL_DATA_DIR: dataDir };
  const server = await startPostgres({ dataDir: join(dataDir, 'postgres') });
  afterThisTest(() => server.stop());
  await migrate(server.url);
  const pool = new Pool({ connectionString: server.url }).on('error', () => undefined);
  await writeEvent(pool, 'ann', { userId: 'ann', action: 'praise', subject: 'article:1' });
  await pool.end();
  const args = ['replay', '--since', long, '--json'];
  expect(JSON.parse((await runCli(args, { env })).out)).toMatchObject({ activities: 1, points: 2 });
  await server.stop();
  expect(JSON.parse((await runCli(args, { env })).out)).toMatchObject({ activities: 1, points: 0 });
});
