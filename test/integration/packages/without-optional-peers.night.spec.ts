import { freshPrefix, testRedisUrl } from '../../support/redis';
import { join } from 'node:path';
import { entriesOf, optionalPeersOf, packPackages } from './support/packages';
import { Project, removeProjects } from './support/project';

/** Starts an app with `ActivityModule` of `entry` and prints what `report` returns. */
const appOf = (entry: string, extras: string, report: string) => `
  import { NestFactory } from '@nestjs/core';
  import { EventEmitterModule } from '@nestjs/event-emitter';
  import { FastifyAdapter } from '@nestjs/platform-fastify';
  import { createRequire } from 'node:module';
  import * as laurel from '${entry}';
  const { REDIS_URL: url, LAUREL_PREFIX: prefix } = process.env;
  const activity = laurel.ActivityModule.forRoot({ redis: { url }, prefix, ${extras} });
  const App = { module: class App {}, imports: [EventEmitterModule.forRoot(), activity] };
  const app = await NestFactory.create(App, new FastifyAdapter(), { logger: ['error'] });
  await app.listen(0, '127.0.0.1');
  const loaded = Object.keys(createRequire(import.meta.url).cache);
  const report = async () => { ${report} };
  console.log(JSON.stringify(await report()));
  await app.close();
`;

describe('in a project without the optional peers', () => {
  let project: Project;
  const run = async (file: string, source: string) => {
    await project.write({ [file]: source });
    return project.node([file], { REDIS_URL: testRedisUrl(), LAUREL_PREFIX: freshPrefix() });
  };

  beforeAll(async () => {
    packPackages();
    project = await Project.create({}, ['@types/node', '@nestjs/platform-fastify']);
  });
  afterAll(removeProjects);

  it('the core without routes records and ranks, and loads no optional module', async () => {
    const out = await run(
      'core.mjs',
      appOf(
        '@laurel/activity/core',
        'controllers: false',
        `await app.get(laurel.ActivityService).record({ userId: 'ann', action: 'praise', subject: 'article:1' });
         const { entries } = await app.get(laurel.RankService).standings('day');
         const optional = loaded.filter((file) => /activity\\/dist\\/(account|admin|live|live-rules|moderation|settlement|titles|shared)\\//.test(file));
         const peers = loaded.filter((file) => /node_modules\\/(@nestjs\\/(swagger|schedule)|class-)/.test(file));
         return { leaders: entries.map(({ userId, score }) => [userId, score]), optional, peers };`,
      ),
    );
    expect(JSON.parse(out)).toEqual({ leaders: [['ann', 2]], optional: [], peers: [] });
  });

  it('routes are refused by the names of the packages to install', async () => {
    await expect(run('routes.mjs', appOf('@laurel/activity/core', '', ''))).rejects.toThrow(
      'controllers need class-validator and class-transformer, which are not installed: ' +
        'npm install class-validator class-transformer, or set controllers: false.',
    );
  });

  it('all modules start without routes', async () => {
    const modules = ['Account', 'Admin', 'Live', 'LiveRules', 'Moderation', 'Settlement', 'Titles'];
    const imports = modules.map((name) => `laurel.${name}Module.forRoot({ controllers: false })`);
    const source = appOf('@laurel/activity', 'controllers: false', 'return "started";');
    expect(await run('all.mjs', source.replace('activity] }', `activity, ${imports.join(', ')}] }`))).toBe(
      '"started"\n',
    );
  });

  it('the declarations of every entry point are whole', async () => {
    const names = entriesOf('activity');
    await project.write({
      'types.mts': names.map((name, i) => `export * as entry${i} from '${name}';\n`).join(''),
      'tsconfig.json': JSON.stringify({
        compilerOptions: { target: 'es2023', module: 'nodenext', types: ['node'], strict: true, skipLibCheck: false },
        include: ['types.mts'],
      }),
    });
    expect(await project.node([join(__dirname, 'support/check-types.cjs')])).toMatch(/^\d{3} files, 0 faults$/m);
    expect(optionalPeersOf('activity')).toEqual([
      '@nestjs/schedule',
      '@nestjs/swagger',
      'class-transformer',
      'class-validator',
    ]);
  });
});
