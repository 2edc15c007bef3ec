import { systemClock } from '@laurel/leaderboard';
import { writeEvent } from '@laurel/outbox';
import { findOrInstallRedis, type RedisServer, startRedis } from '@laurel/servers';
import { spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { Client, type Pool } from 'pg';
import { afterThisTest } from '../../support/endings';
import { createPool, migrate, startTestPostgres } from '../../support/postgres';
import { runCli } from '../../support/run-cli';
import { temporaryFolder } from '../../support/temporary-folder';
import { DebianPostgres } from './support/debian-postgres';
import { root, run } from '../../support/run';

const page = 'docs/backup-and-restore.md';

const has = (program: string) => spawnSync(program, ['--version']).status === 0;
const missing = ['redis-cli', 'redis-check-rdb'].filter((program) => !has(program));
const noTools = missing.length > 0 ? ` (skipped: no ${missing.join(' and ')} on this machine)` : '';
const noPostgres = DebianPostgres.isThere() ? '' : ' (skipped: no PostgreSQL with pg_dump on this machine)';

/** The commands under a heading of the page. */
async function commandsUnder(heading: string): Promise<string[]> {
  const text = await readFile(join(root, page), 'utf8');
  const [, part] = new RegExp(`^## ${heading}\n(.*?)(?=^## |$(?![^]))`, 'ms').exec(text) ?? [];
  const blocks = [...(part ?? '').matchAll(/^```sh\n(.*?)^```$/gms)].map(([, commands = '']) => commands);
  if (blocks.length === 0) throw new Error(`${page} has no commands under "${heading}".`);
  return blocks;
}

/** Runs them as a reader would type them; the shell ends at the first that fails. */
async function follow(heading: string, env: Readonly<Record<string, string>>): Promise<string> {
  const printed: string[] = [];
  for (const commands of await commandsUnder(heading)) {
    const { stdout } = await run('sh', ['-euc', commands], { env: { ...process.env, ...env } });
    printed.push(stdout);
  }
  return printed.join('');
}

describe(`the commands of ${page}`, () => {
  const folder = temporaryFolder();
  let env: Record<string, string>;

  beforeAll(async () => {
    const bin = join(folder, 'bin');
    await Promise.all([bin, join(folder, 'backups'), join(folder, 'redis')].map((path) => mkdir(path)));
    // `npx --no laurel` of this repository's sources.
    const cli = `-r ${join(root, 'tools/register-typescript.cjs')} ${join(root, 'apps/cli/src/main.ts')}`;
    await writeFile(join(bin, 'npx'), `#!/bin/sh\nshift 2\nexec ${process.execPath} ${cli} "$@"\n`, { mode: 0o755 });
    const server = dirname(await findOrInstallRedis());
    env = {
      PATH: [bin, server, process.env.PATH].join(delimiter),
      BACKUPS: join(folder, 'backups'),
      REDIS_DIR: join(folder, 'redis'),
      REDIS_CONF: join(folder, 'redis.conf'),
    };
  });

  const laurel = async (...args: string[]) => {
    const { exitCode, out, err } = await runCli(args, { env });
    expect({ exitCode, err: exitCode === 0 ? '' : err }).toEqual({ exitCode: 0, err: '' });
    return out;
  };
  const points = async () => {
    const lines = (await laurel('export', '--leaderboard', 'all')).trim().split('\n');
    const entries = lines.map((line) => JSON.parse(line) as { userId: string; score: number });
    return Object.fromEntries(entries.map(({ userId, score }) => [userId, score]));
  };

  describe('on a Redis that is lost', () => {
    let redis: RedisServer;
    let pool: Pool;
    let stopPostgres: () => Promise<void>;

    beforeAll(async () => {
      redis = await startRedis({ dataDir: join(folder, 'redis') });
      const postgres = await startTestPostgres();
      pool = createPool(postgres.url);
      stopPostgres = async () => {
        await pool.end();
        await postgres.stop();
      };
      const settings = ['bind 127.0.0.1', `port ${redis.port}`, `dir ${env.REDIS_DIR}`, 'appendonly yes', 'save ""'];
      await writeFile(env.REDIS_CONF ?? '', settings.join('\n'));
      Object.assign(env, { REDIS_URL: redis.url, DATABASE_URL: postgres.url, LAUREL_PREFIX: 'saved' });
    });
    afterAll(async () => {
      await redis.kill();
      await stopPostgres();
    });

    const praise = (userId: string, n: number) =>
      writeEvent(pool, userId, { userId, action: 'praise', subject: `article:${n}` });
    const visit = async (userId: string) => {
      const file = join(folder, 'visits.ndjson');
      await writeFile(file, JSON.stringify({ userId, action: 'view', subject: '/' }));
      await laurel('import', file);
    };
    /** Does what the relay of the outbox does. */
    const relay = () => laurel('replay', '--since', new Date(systemClock.now() - 3_600_000).toISOString());

    (noTools ? it.skip : it)(
      `bring back what was copied, and of what came after all that an outbox has${noTools}`,
      async () => {
        await praise('ann', 1);
        await relay();
        await visit('bob');
        await follow('Copy Redis', env);
        await praise('ann', 2);
        await praise('cid', 1);
        await relay();
        await visit('dan');
        expect(await points()).toEqual({ ann: 4, bob: 1, cid: 2, dan: 1 });

        await redis.kill();
        await follow('Restore Redis', env);
        redis = await startRedis({ dataDir: join(folder, 'redis'), port: redis.port });
        expect(await points()).toEqual({ ann: 2, bob: 1 });
        const printed = await follow('Record again what came after the copy', env);
        expect(printed).toMatch(/: 0 differences\.\n$/);
        // The visit lay in no outbox: the page says so.
        expect(await points()).toEqual({ ann: 4, bob: 1, cid: 2 });
      },
    );
  });

  (noPostgres ? it.skip : it)(`bring back a database that is lost${noPostgres}`, async () => {
    const postgres = await DebianPostgres.start(join(folder, 'postgres'));
    const there = { ...env, DATABASE_URL: postgres.url, PATH: [postgres.programs, env.PATH].join(delimiter) };
    const asked = async (text: string) => {
      const client = new Client({ connectionString: postgres.url });
      await client.connect();
      try {
        return (await client.query<{ count: number }>(text)).rows[0]?.count;
      } finally {
        await client.end();
      }
    };
    afterThisTest(() => postgres.stop());
    await migrate(postgres.url);
    await asked(`SELECT outbox_write('ann', '{"userId":"ann","action":"praise","subject":"article:1"}')`);
    await follow('Copy the database', there);
    await asked(`SELECT outbox_write('ann', '{"userId":"ann","action":"praise","subject":"article:2"}')`);
    await asked('DROP TABLE comments');
    await follow('Restore the database', there);
    expect(await asked('SELECT count(*)::int FROM outbox')).toBe(1);
    expect(await asked('SELECT count(*)::int FROM comments')).toBe(0);
  });
});
