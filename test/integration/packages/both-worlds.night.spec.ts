import { join } from 'node:path';
import { freshPrefix, testRedisUrl } from '../../support/redis';
import { ambient, codeIn, documents } from './support/code-in-documents';
import { entriesOf, optionalPeersOf, packageNames, packPackages } from './support/packages';
import { Project, removeProjects } from './support/project';

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
    project = await Project.create({}, [
      '@types/node',
      '@types/pg',
      '@types/jest',
      '@nestjs/testing',
      '@nestjs/platform-fastify',
      ...optionalPeersOf('activity'),
      ...optionalPeersOf('outbox'),
      ...['typeorm', 'knex'],
    ]);
  });
  afterAll(removeProjects);

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

  it('each entry point is one copy, by the same names, however it is loaded', async () => {
    const entries = packageNames.flatMap(entriesOf);
    await project.write({
      'same.mjs': `import { createRequire } from 'node:module';
        const compared = {};
        for (const entry of ${JSON.stringify(entries)}) {
          const required = createRequire(import.meta.url)(entry);
          // Besides the names, a CommonJS module is imported as a whole.
          const { default: whole, __esModule, 'module.exports': again, ...imported } = await import(entry);
          const names = Object.keys(required);
          const different = names.filter((name) => required[name] !== imported[name]);
          compared[entry] = { names: names.length > 0, different, same: names.length === Object.keys(imported).length };
        }
        console.log(JSON.stringify(compared));`,
    });
    expect(entries.length).toBeGreaterThan(packageNames.length);
    expect(JSON.parse(await project.node(['same.mjs']))).toEqual(
      Object.fromEntries(entries.map((entry) => [entry, { names: true, different: [], same: true }])),
    );
  });

  it("the module's entry points give what @laurel/activity gives: the very same classes, and together all", async () => {
    const parts = entriesOf('activity').filter((name) => !/activity$|\/(?:http|internals|rewards)$/.test(name));
    expect(parts.length).toBeGreaterThan(1);
    await project.write({
      'parts.mjs': `import * as all from '@laurel/activity';
        const parts = {};
        for (const name of ${JSON.stringify(parts)}) {
          const { default: whole, __esModule, 'module.exports': again, ...named } = await import(name);
          for (const [key, value] of Object.entries(named)) (parts[key] ??= []).push(value === all[key]);
        }
        const different = Object.keys(parts).filter((key) => parts[key].length !== 1 || !parts[key][0]);
        const missing = Object.keys(all.default).filter((key) => !(key in parts));
        console.log(JSON.stringify({ different, missing }));`,
    });
    expect(JSON.parse(await project.node(['parts.mjs']))).toEqual({ different: [], missing: [] });
  });

  it('what the documents show compiles; declarations are whole, and found by the rules of bundlers', async () => {
    const documented = documents.flatMap((document) =>
      codeIn(document).map((code, i) => [`${document.replace(/\W/g, '-')}-${i + 1}.mts`, code] as const),
    );
    expect(documented.length).toBeGreaterThan(documents.length);
    await project.write({
      ...Object.fromEntries(documented),
      'ambient.d.ts': ambient,
      'types.mts': `import { Leaderboard, LeaderboardError, type Entry } from '@laurel/leaderboard';
        import type { ActivityModuleOptions } from '@laurel/activity';
        export const top = (board: Leaderboard): Promise<Entry[]> => board.top(3);
        export const code = (error: unknown) => (error instanceof LeaderboardError ? error.code : null);
        declare const options: ActivityModuleOptions;
        // @ts-expect-error: were the declarations not found, it would be any
        export const none: string = options.prefix * 2;`,
      'transactions.mts': `import { writeEvent } from '@laurel/outbox';
        import { Relay, type RelayObserver, type RelayReceiver } from '@laurel/outbox';
        import { writeEvent as writeWithDrizzle } from '@laurel/outbox/drizzle';
        import { writeEvent as writeToMySql } from '@laurel/outbox/mysql';
        import type { Pool as MySqlPool, PoolConnection } from 'mysql2/promise';
        import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
        import type { Knex } from 'knex';
        import type { PoolClient } from 'pg';
        import type { EntityManager, QueryRunner } from 'typeorm';
        export const all = (a: EntityManager, b: QueryRunner, c: Knex.Transaction, d: PoolClient, e: NodePgDatabase) => [
          ...[a, b, c, d].map((transaction) => writeEvent(transaction, '42', {})),
          ...[a, b, c].map((transaction) => writeToMySql(transaction, '42', {})),
          e.transaction((transaction) => writeWithDrizzle(transaction, '42', {})),
        ];
        export const relay = (pool: MySqlPool, receiver: RelayReceiver<unknown>, observer: RelayObserver) =>
          new Relay({ pool, receiver, observer });
        export const written = (connection: PoolConnection) => writeToMySql(connection, '42', {});`,
      'tsconfig.json': JSON.stringify({
        compilerOptions: {
          target: 'es2023',
          module: 'esnext',
          moduleResolution: 'bundler',
          types: ['node', 'jest'],
          strict: true,
          noUncheckedIndexedAccess: true,
          exactOptionalPropertyTypes: true,
          experimentalDecorators: true,
          skipLibCheck: false,
        },
      }),
    });
    expect(await project.node([join(__dirname, 'support/check-types.cjs')])).toMatch(/^\d{3} files, 0 faults$/m);
  });
});
