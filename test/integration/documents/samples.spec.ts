import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { freshPrefix, testRedis } from '../../support/redis';

const root = join(__dirname, '../../..');
const documents = ['docs', 'libs/activity', 'libs/leaderboard', 'apps/community', 'apps/minimal']
  .flatMap((folder) => readdirSync(join(root, folder)).map((name) => join(folder, name)))
  .concat('README.md')
  .filter((path) => path.endsWith('.md'));
const text = (path: string) => readFileSync(join(root, path), 'utf8');
/** What is to be typed into a shell. */
const shells = documents.flatMap((path) =>
  [...text(path).matchAll(/^```sh\n([^]*?)^```/gm)].map(([, code = '']) => ({ path, code })),
);

describe('the samples of the documents', () => {
  it('send no activity that is too old by the time it is tried', () => {
    expect(shells.filter(({ code }) => /"occurredAt": "\d/.test(code))).toEqual([]);
  });

  it('start the app with what it does not start without', () => {
    const starts = shells.filter(({ code }) => /npm start/.test(code) && !/apps\/minimal/.test(code));
    expect(starts.filter(({ code }) => !code.includes('AUTH_SECRET='))).toEqual([]);
  });

  it('never have npx fetch a package that the app has not installed, but one of a scope and a version', () => {
    const kept = ['ops/alerts.yml', '.github/ISSUE_TEMPLATE/bug.yml', 'apps/cli/README.md'];
    for (const path of [...documents, ...kept]) {
      expect([path, text(path)]).toEqual([path, expect.not.stringMatching(/npx,? (?!--no\b|@\w+\/\w+@\d)/)]);
    }
  });

  it('install every package of ours that one of them needs, as none is on the registry', () => {
    const named = [...text('README.md').matchAll(/\$LAUREL\/laurel-(?:\{([\w,]+)\}|(\w+))-\*\.tgz/g)].flatMap(
      ([, many, one = '']) => many?.split(',') ?? [one],
    );
    const needed = named.flatMap((name) => {
      const folder = name === 'cli' ? 'apps/cli' : `libs/${name}`;
      const { dependencies = {} } = JSON.parse(text(`${folder}/package.json`)) as { dependencies?: object };
      return Object.keys(dependencies).flatMap((one) => one.match(/(?<=^@laurel\/)\w+/) ?? []);
    });
    expect(named).toContain('cli');
    expect(needed.filter((name) => !named.includes(name))).toEqual([]);
  });

  it('name the oldest Redis that the app itself starts', () => {
    const [, major, minor] = /oldest = \[(\d+), (\d+)\]/.exec(text('libs/servers/src/redis/find-redis.ts')) ?? [];
    const named = documents.flatMap((path) =>
      [...text(path).matchAll(/Redis (?:or Valkey, )?(\d+\.\d+) or (?:later|newer)/g)].map(([, version]) => version),
    );
    expect(named.length).toBeGreaterThan(2);
    expect(new Set(named)).toEqual(new Set([`${major}.${minor}`]));
  });

  it("begin the engine's README with a program that runs as it stands", async () => {
    const [, program = ''] = /^```ts\n([^]*?)^```/m.exec(text('libs/leaderboard/README.md')) ?? [];
    const { host, port } = testRedis().options;
    const code = program
      .replace(/^import (.*) from (.*);$/gm, 'const $1 = require($2);')
      .replace('redis://localhost:6379', `redis://${host}:${port}`)
      .replace("'scores'", `'${freshPrefix()}'`);
    expect(program.trim().split('\n').length).toBeLessThanOrEqual(17);
    const log = jest.fn();
    await runInNewContext(`(async () => { ${code} })()`, { require, console: { log } });
    const [[top], [rank], [around]] = log.mock.calls as [[{ member: string }[]], [number], [{ member: string }[]]];
    expect(top[0]).toEqual({ member: 'dan', score: 120, rank: 1, reachedAt: null });
    expect([rank, around.map(({ member }) => member)]).toEqual([1, ['ann', 'bob', 'cid']]);
  });

  it("name every public method of a board in the engine's README", () => {
    const documented = text('libs/leaderboard/README.md').split('## All methods')[1]?.split('\n## ')[0] ?? '';
    const named = new Set([...documented.matchAll(/`(?:[a-z]\w*)(?=\(|`)/g)].map(([name]) => name.slice(1)));
    for (const path of ['leaderboard/leaderboard', 'board/board-reader']) {
      const source = text(`libs/leaderboard/src/${path}.ts`).split('\nexport class ')[1]?.split('\n}\n')[0] ?? '';
      const methods = [...source.matchAll(/^ {2}(?:async )?(?:get )?\*?([a-z]\w*)(?:<[^]*?>)?\(/gm)].map(
        ([, name]) => name,
      );
      expect(methods.length).toBeGreaterThan(10);
      expect(methods.filter((name) => name !== 'constructor' && !named.has(name as string))).toEqual([]);
    }
  });
});
