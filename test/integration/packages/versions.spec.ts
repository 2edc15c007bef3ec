import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RedisCluster, startRedisCluster } from '@laurel/servers';
import { freshPrefix, testRedisUrl } from '../../support/redis';
import { codeIn } from './support/code-in-documents';
import { packingMs, packPackages } from './support/packages';
import { Project, removeProjects } from './support/project';
import { cells } from './support/versions';

const main = readFileSync(join(__dirname, 'support/app-of-all-modules.ts'), 'utf8');
const readme = codeIn('README.md')[0] as string;

const tsconfig = JSON.stringify({
  compilerOptions: {
    target: 'es2023',
    module: 'nodenext',
    types: ['node'],
    rootDir: 'src',
    outDir: 'dist',
    strict: true,
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
    skipLibCheck: false,
  },
  include: ['src'],
});

let cluster: RedisCluster;

beforeAll(async () => {
  packPackages();
  cluster = await startRedisCluster();
}, packingMs);
afterAll(async () => {
  await cluster?.stop();
  await removeProjects();
});

describe.each(cells)('$title, installed by npm as $type', ({ type, versions }) => {
  let project: Project;

  beforeAll(async () => {
    const files = { 'tsconfig.json': tsconfig, 'src/main.ts': main, 'src/app.module.ts': readme };
    project = await Project.installed(versions, { 'package.json': JSON.stringify({ type }), ...files });
  }, packingMs);

  it('our declarations, the quick start and an app of all modules compile', async () => {
    const checked = await project.node([join(__dirname, 'support/check-types.cjs'), '--emit']);
    expect(checked).toMatch(/^\d{3} files, 0 faults$/m);
  });

  it.each([
    ['express', 'one Redis', () => ({ url: testRedisUrl() })],
    ['fastify', 'one Redis', () => ({ url: testRedisUrl() })],
    ['fastify', 'a Cluster', () => ({ nodes: cluster.nodes })],
  ])(
    'on %s with %s it records, revokes, takes a message, ranks, streams, documents its routes and closes',
    async (...row) => {
      const [platform, , redis] = row;
      const env = { PLATFORM: platform, REDIS: JSON.stringify(redis()), LAUREL_PREFIX: freshPrefix() };
      expect(JSON.parse(await project.node(['dist/main.js'], env))).toEqual({
        outcomes: ['granted', 'duplicate', 'granted', 'revoked'],
        leaders: [
          [1, 'ann', 2],
          [2, 'ben', 2],
          [3, 'cyd', 1],
          [4, 'dan', 1],
        ],
        stream: true,
        refused: 400,
        isDocumented: true,
      });
    },
  );

  it('its boards are verified by npx laurel', async () => {
    const env = { PLATFORM: 'express', REDIS: JSON.stringify({ url: testRedisUrl() }), LAUREL_PREFIX: freshPrefix() };
    await project.node(['dist/main.js'], env);
    const verified = await project.run('npx', ['--no-install', 'laurel', 'verify'], {
      REDIS_URL: testRedisUrl(),
      LAUREL_PREFIX: env.LAUREL_PREFIX,
    });
    expect(verified).toMatch(/[1-9]\d* entries in .* 0 differences/);
  });
});
