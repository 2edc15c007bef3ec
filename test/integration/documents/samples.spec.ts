import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../../..');
const documents = ['docs', 'libs/activity', 'libs/leaderboard', 'apps/community', 'apps/minimal']
  .flatMap((folder) => readdirSync(join(root, folder)).map((name) => join(folder, name)))
  .concat('README.md')
  .filter((path) => path.endsWith('.md'));
const text = (path: string) => readFileSync(join(root, path), 'utf8');
/** What is to be typed into a shell. */
const shellIn = (path: string) => [...text(path).matchAll(/^```sh\n([^]*?)^```/gm)].map(([, code = '']) => code);

describe('the samples of the documents', () => {
  it('send no activity that is too old by the time it is tried', () => {
    for (const path of documents) {
      for (const code of shellIn(path))
        expect([path, code]).toEqual([path, expect.not.stringMatching(/"occurredAt": "\d/)]);
    }
  });

  it('start the app with what it does not start without', () => {
    for (const path of documents) {
      for (const code of shellIn(path).filter((one) => /npm start/.test(one) && !/apps\/minimal/.test(one))) {
        expect([path, code]).toEqual([path, expect.stringContaining('AUTH_SECRET=')]);
      }
    }
  });

  it('never have npx fetch a package that the app has not installed, but one of a scope and a version', () => {
    const kept = ['ops/alerts.yml', '.github/ISSUE_TEMPLATE/bug.yml', 'apps/cli/README.md'];
    for (const path of [...documents, ...kept]) {
      expect([path, text(path)]).toEqual([path, expect.not.stringMatching(/npx,? (?!--no\b|@\w+\/\w+@\d)/)]);
    }
  });

  it('name the oldest Redis that the app itself starts', () => {
    const [, major, minor] = /oldest = \[(\d+), (\d+)\]/.exec(text('libs/servers/src/redis/find-redis.ts')) ?? [];
    const named = documents.flatMap((path) =>
      [...text(path).matchAll(/Redis (?:or Valkey, )?(\d+\.\d+) or (?:later|newer)/g)].map(([, version]) => version),
    );
    expect(named.length).toBeGreaterThan(2);
    expect(new Set(named)).toEqual(new Set([`${major}.${minor}`]));
  });
});
