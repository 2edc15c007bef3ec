import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type PostgresServer, type RedisCluster, startPostgres, startRedisCluster } from '@laurel/servers';
import { freshPrefix, testRedisUrl } from '../../support/redis';
import { codeIn } from './support/code-in-documents';
import { packPackages } from './support/packages';
import { Project, removeProjects } from './support/project';
import { isOnline, unlessOnline } from './support/registry';
import { compilers, installToolchains, nodes } from './support/toolchains';
import { cells } from './support/versions';

const main = readFileSync(join(__dirname, 'support/app-of-all-modules.ts'), 'utf8');
const readme = codeIn('README.md')[0] as string;

/** How the app is compiled, with other settings of modules or with those of the Nest CLI. */
const tsconfig = (settings: object = { module: 'nodenext' }) =>
  JSON.stringify({
    compilerOptions: {
      target: 'es2023',
      types: ['node'],
      rootDir: 'src',
      outDir: 'dist',
      strict: true,
      experimentalDecorators: true,
      emitDecoratorMetadata: true,
      esModuleInterop: true,
      skipLibCheck: false,
      ...settings,
    },
    include: ['src'],
  });

let cluster: RedisCluster;
let postgres: PostgresServer;

beforeAll(async () => {
  packPackages();
  if (isOnline) installToolchains();
  [cluster, postgres] = await Promise.all([startRedisCluster(), startPostgres()]);
});
afterAll(async () => {
  await cluster?.stop();
  await postgres?.stop();
  await removeProjects();
});

const title = `$title, installed by npm as $type${unlessOnline}`;

(isOnline ? describe : describe.skip).each(cells)(title, ({ type, settings, versions }) => {
  let project: Project;

  beforeAll(async () => {
    project = await Project.installed(versions, {
      'package.json': JSON.stringify({ type }),
      'tsconfig.json': tsconfig(),
      'tsconfig.other.json': tsconfig(settings),
      'src/main.ts': main,
      'src/app.module.ts': readme,
    });
  });

  const check = (typescript: string, ...args: readonly string[]) =>
    project.node([join(__dirname, 'support/check-types.cjs'), ...args], { TYPESCRIPT: typescript });

  it.each(compilers)(
    'our declarations, the quick start and an app of all modules compile with TypeScript $version',
    async ({ path }) => {
      expect(await check(path, '--emit')).toMatch(/^\d{3} files, 0 faults$/m);
    },
  );

  // By TypeScript 6 one of them is deprecated.
  for (const { version, path } of compilers.slice(1)) {
    it(`they compile with TypeScript ${version}, ${Object.values(settings).join(' and ')}`, async () => {
      expect(await check(path, 'tsconfig.other.json')).toMatch(/^\d{3} files, 0 faults$/m);
    });
  }

  it.each(
    nodes.flatMap(({ version, path }) => [
      { version, path, platform: 'express', server: 'one Redis', redis: () => ({ url: testRedisUrl() }) },
      { version, path, platform: 'fastify', server: 'one Redis', redis: () => ({ url: testRedisUrl() }) },
      { version, path, platform: 'fastify', server: 'a Cluster', redis: () => ({ nodes: cluster.nodes }) },
    ]),
  )(
    'on Node $version and $platform with $server it records, relays, takes a message, ranks, streams and closes',
    async ({ path, platform, server, redis }) => {
      const env = {
        PLATFORM: platform,
        REDIS: JSON.stringify(redis()),
        LAUREL_PREFIX: freshPrefix(),
        TEST_REDIS: testRedisUrl(),
        DATABASE_URL: postgres.url,
      };
      const lines = (await project.run(path, ['dist/main.js'], env)).trim().split('\n');
      // Nest warns of nothing.
      expect(lines.slice(0, -1)).toEqual([]);
      expect(JSON.parse(lines.at(-1) ?? '')).toEqual({
        outcomes: ['granted', 'duplicate', 'granted', 'revoked'],
        leaders: [
          [1, 'ann', 2],
          [2, 'ben', 2],
          [3, 'cyd', 1],
          [4, 'dan', 1],
          [5, 'eve', 1],
        ],
        stream: true,
        refused: 400,
        isDocumented: true,
        isMatched: true,
      });
      // As `npx --no laurel` does, with this Node.
      const laurel = [join(project.folder, 'node_modules/.bin/laurel'), 'verify'];
      if (server === 'a Cluster') return;
      const verified = await project.run(path, laurel, { REDIS_URL: testRedisUrl(), LAUREL_PREFIX: env.LAUREL_PREFIX });
      expect(verified).toMatch(/[1-9]\d* entries in .* 0 differences/);
    },
  );
});
