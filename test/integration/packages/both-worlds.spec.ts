import { freshPrefix, testRedisUrl } from '../../support/redis';
import { packingMs, packPackages } from './support/packages';
import { Project } from './support/project';

/** Writes and reads a board with the `Leaderboard` and `Redis` that are in scope. */
const useTheEngine = `
  async function play(Redis, Leaderboard, name) {
    const redis = new Redis(process.env.REDIS_URL);
    const board = new Leaderboard(redis, { key: process.env.KEY });
    await board.increment(name, 5);
    const entries = await board.top(10);
    await redis.quit();
    console.log(JSON.stringify(entries.map(({ member, score, rank }) => ({ member, score, rank }))));
  }
`;

describe('in a project of somebody else', () => {
  let project: Project;

  beforeAll(async () => {
    packPackages();
    project = await Project.create({}, ['@types/node']);
  }, packingMs);
  afterAll(() => project.remove());

  it('the engine is required and imported, and both are the same', async () => {
    await project.write({
      'common.cjs': `const { Redis } = require('ioredis');
        const { Leaderboard } = require('@laurel/leaderboard');
        ${useTheEngine}
        void play(Redis, Leaderboard, 'cjs');`,
      'module.mjs': `import { Redis } from 'ioredis';
        import { Leaderboard } from '@laurel/leaderboard';
        ${useTheEngine}
        await play(Redis, Leaderboard, 'esm');`,
    });
    const env = { REDIS_URL: testRedisUrl(), KEY: freshPrefix() };
    expect(JSON.parse(await project.node(['common.cjs'], env))).toEqual([{ member: 'cjs', score: 5, rank: 1 }]);
    expect(JSON.parse(await project.node(['module.mjs'], env))).toEqual([
      { member: 'esm', score: 5, rank: 1 },
      { member: 'cjs', score: 5, rank: 2 },
    ]);
  });

  it.each(['leaderboard', 'activity'])(
    '@laurel/%s is one copy, by the same names, however it is loaded',
    async (name) => {
      await project.write({
        'same.mjs': `import * as imported from '@laurel/${name}';
        import { createRequire } from 'node:module';
        const required = createRequire(import.meta.url)('@laurel/${name}');
        const names = Object.keys(required);
        const different = names.filter((name) => required[name] !== imported[name]);
        console.log(JSON.stringify({ names: names.length > 20, missing: different, same: names.length === Object.keys(imported).length }));`,
      });
      expect(JSON.parse(await project.node(['same.mjs']))).toEqual({ names: true, missing: [], same: true });
    },
  );

  it('declarations are whole, and found by the rules of bundlers; by those of Node the minimal apps find them', async () => {
    const source = `
      import { Leaderboard, LeaderboardError, type Entry } from '@laurel/leaderboard';
      import { ActivityModule, type ActivityModuleOptions, type RankService } from '@laurel/activity';
      export const options: ActivityModuleOptions = { redis: { url: 'redis://localhost' }, leaderboards: [{ name: 'day', period: 'day' }] };
      export const dynamic = ActivityModule.forRoot(options);
      export const top = (board: Leaderboard): Promise<Entry[]> => board.top(3);
      export const score = async (ranks: RankService): Promise<number> => (await ranks.standing('day', '42')).entry.score;
      export const code = (error: unknown) => (error instanceof LeaderboardError ? error.code : null);
      // @ts-expect-error: a name that is not exported would be any, if the declarations were not found
      export const none: string = options.prefix * 2;
    `;
    await project.write({
      'types.ts': source,
      'tsconfig.json': JSON.stringify({
        compilerOptions: {
          module: 'esnext',
          moduleResolution: 'bundler',
          strict: true,
          types: ['node'],
          skipLibCheck: false,
        },
        files: ['types.ts'],
      }),
    });
    await project.tsc('-p', '.', '--noEmit');
  });
});
