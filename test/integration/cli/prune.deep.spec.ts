import { PostgresArchive } from '@laurel/archive';
import { systemClock } from '@laurel/leaderboard';
import { dayFacts, standingsOf } from '../../support/archive-contract';
import { settledKeys } from '../../support/keys';
import { freshPrefix, testRedis, testRedisUrl } from '../../support/redis';
import { runCli } from '../../support/run-cli';
import { keepArchiveElsewhere } from '../../support/settling';
import { ownPostgres } from '../../support/postgres';
import { dayMs } from '../../support/clock';

const today = Math.floor(systemClock.now() / dayMs);
/** The number of days from the first one of the contract to so many days ago. */
const ago = (days: number) => today - days - Date.parse('2026-11-01T00:00:00Z') / dayMs;

async function begun(): Promise<{ prefix: string; env: NodeJS.ProcessEnv }> {
  const prefix = freshPrefix();
  const env = { REDIS_URL: testRedisUrl(), LAUREL_PREFIX: prefix };
  const stdin = `${JSON.stringify({ userId: 'ann', action: 'view', subject: '1', occurredAt: new Date(systemClock.now()) })}\n`;
  expect(await runCli(['import', '-'], { env, stdin })).toMatchObject({ exitCode: 0 });
  return { prefix, env };
}

async function archived(archive: PostgresArchive, daysAgo: number): Promise<string> {
  const facts = dayFacts('day', ago(daysAgo), 3);
  const draft = await archive.begin('day', facts.period, facts.endMs);
  await draft.append(standingsOf(3));
  await draft.commit(facts);
  return facts.period;
}

describe('laurel prune', () => {
  it('lets boards in Redis that are past its retention go by their own, and only says so where it is tried', async () => {
    const { prefix, env } = await begun();
    const [old = '', young = ''] = [25, 5].map((days) => new Date((today - days) * dayMs).toISOString().slice(0, 10));
    const viewed = (day: string) =>
      JSON.stringify({ userId: 'ann', action: 'view', subject: '1', occurredAt: `${day}T12:00:00Z` });
    // As it was when these days were of now.
    const late = { ...env, LAUREL_LATENESS_S: String(30 * 86_400) };
    await runCli(['import', '-'], { env: late, stdin: [viewed(old), viewed(young)].join('\n') });
    const settled = await runCli(['settle', '--leaderboard', 'day'], { env });
    expect(settled.out.match(/1 entries/g)).toHaveLength(2);
    const daysKept = (day: string) =>
      Promise.all(
        [`{${prefix}:1-0}:board:day:${day}`, settledKeys.period(prefix, day, 'day')].map(async (key) => {
          const untilMs = await testRedis().pexpiretime(key);
          return untilMs < 0 ? null : Math.floor((untilMs - Date.parse(day)) / dayMs) - 1;
        }),
      );
    expect(await daysKept(old)).toEqual([424, 424]);
    const prune = (...args: string[]) =>
      runCli(['prune', ...args], { env: { ...env, LAUREL_ARCHIVE_RETENTION: 'day=10' } });
    expect(await prune('--dry-run')).toMatchObject({
      exitCode: 0,
      out: `day ${old}: 1 entries\n1 periods would be dropped.\n`,
    });
    expect(await daysKept(old)).toEqual([424, 424]);
    expect(await prune()).toMatchObject({ exitCode: 0, out: `day ${old}: 1 entries\n1 periods dropped.\n` });
    expect(await prune()).toMatchObject({ exitCode: 0, out: '0 periods dropped.\n' });
    expect([await daysKept(old), await daysKept(young)]).toEqual([
      [31, null],
      [404, 404],
    ]);
  });

  it('refuses leaderboards that there are not', async () => {
    const { env } = await begun();
    const { exitCode, err } = await runCli(['prune'], { env: { ...env, LAUREL_ARCHIVE_RETENTION: 'dya=30' } });
    expect({ exitCode, err }).toMatchObject({ exitCode: 1, err: expect.stringContaining('dya is unknown') as string });
  });

  describe('of an app whose archive is a database', () => {
    const postgres = ownPostgres();

    const prune = async (retention: string, ...args: string[]) => {
      const { prefix, env } = await begun();
      await keepArchiveElsewhere(testRedis(), prefix);
      const variables = { ...env, DATABASE_URL: postgres.servers.url, LAUREL_ARCHIVE_RETENTION: retention };
      return runCli(['prune', ...args], { env: variables });
    };

    it('drops whole months, while others read them', async () => {
      const archive = new PostgresArchive(postgres.client);
      const old = [await archived(archive, 100), await archived(archive, 99)];
      const young = await archived(archive, 1);
      const named = expect.stringContaining(`day ${old[0]}: 3 entries\n`) as string;
      expect(await prune('day=31', '--dry-run')).toMatchObject({ exitCode: 0, out: named });
      expect(await archive.periods('day', { limit: 5 })).toHaveLength(3);
      const reader = await postgres.client.connect();
      await reader.query('BEGIN; SELECT FROM settled_entries LIMIT 1');
      const pruning = prune('day=31');
      // It gives way until the reader has ended.
      await reader.query(`DO $$ BEGIN WHILE NOT EXISTS (SELECT FROM pg_locks WHERE NOT granted) LOOP END LOOP; END $$`);
      await reader.query('COMMIT');
      reader.release();
      expect(await pruning).toMatchObject({ exitCode: 0, out: named });
      expect(await archive.periods('day', { limit: 5 })).toMatchObject([{ period: young }]);
    });

    it('says which variable is missing', async () => {
      expect(await prune('')).toMatchObject({
        exitCode: 1,
        err: expect.stringContaining('LAUREL_ARCHIVE_RETENTION names no leaderboard') as string,
      });
    });
  });
});
