import { resolveOptions } from '@laurel/activity/internals';
import { dataDirFrom, redisVariableNames } from '@laurel/settings';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
// Private: what the app reads is compared with what is written of it.
import { readEnvironment } from '../../apps/community/src/environment/environment';

const root = join(__dirname, '../..');
const text = (path: string): string => readFileSync(join(root, path), 'utf8');

const servers = { REDIS_URL: 'redis://127.0.0.1', DATABASE_URL: 'postgres://127.0.0.1/laurel' };

/** The names of variables in a text, in the places that `pattern` finds. */
function namesIn(found: Iterable<RegExpMatchArray>): Set<string> {
  return new Set([...found].flatMap(([, names = '']) => names.match(/[A-Z][A-Z_]+/g) ?? []));
}

/** Every variable that the app asks for at its start. */
function asked(): Set<string> {
  const names = new Set<string>();
  const given: Readonly<Record<string, string | undefined>> = { AUTH_SECRET_FILE: __filename, ...servers };
  const variables = new Proxy(given, {
    get(target, name: string) {
      names.add(name);
      return target[name];
    },
  });
  readEnvironment(variables);
  // The demo and the commands.
  dataDirFrom(variables);
  return names;
}

/** What the app is configured by, with the defaults of its modules filled in. */
function configured(variables: Readonly<Record<string, string>>): object {
  const { activity, ...environment } = readEnvironment({
    AUTH_SECRET: 'a-long-secret-of-the-tests-alone',
    ...servers,
    ...variables,
  });
  return { ...environment, options: resolveOptions(activity) };
}

const page = text('docs/environment.md');

describe('the variables of the community', () => {
  it('have the defaults that docs/environment.md lists', () => {
    const listed = [...page.matchAll(/^\| `([A-Z_]+)` +\| `([^` ]+)` (?:\([^|]*)? *\|/gm)];
    expect(listed.length).toBeGreaterThan(20);
    for (const [, name = '', byDefault = ''] of listed) {
      expect({ [name]: configured({ [name]: byDefault }) }).toEqual({ [name]: configured({}) });
    }
  });

  it('are those that docs/environment.md lists', () => {
    const listed = namesIn(page.matchAll(/^\| ((?:`[A-Z_]+`(?:, )?)+) +\|/gm));
    expect([...listed].sort()).toEqual([...asked()].sort());
  });

  it('are passed on by docker-compose.yml, but for those that name what only a machine has', () => {
    const compose = text('docker-compose.yml');
    const shared = /\nx-app-environment: [^\n]*\n([^]*?)\n\n/.exec(compose)?.[1] ?? '';
    const passed = namesIn(shared.matchAll(/^ {2}([A-Z_]+):/gm));
    // Separate services, private servers' files, and variables that the image sets.
    const others = [...[...redisVariableNames, 'DATABASE_URL', 'LAUREL_DATA_DIR', 'NODE_ENV']];
    expect([...passed, ...others].sort()).toEqual([...asked()].sort());
    for (const name of ['REDIS_URL: ', 'REDIS_CLUSTER_NODES: ', 'DATABASE_URL=']) expect(compose).toContain(` ${name}`);
  });

  it('has no secret for users’ tokens that is written down, and keeps what is in .env out of the repository', () => {
    expect(text('docker-compose.yml')).toMatch(/^ {2}AUTH_SECRET:$/m);
    for (const file of ['.gitignore', '.dockerignore']) expect(text(file).split('\n')).toContain('.env');
  });
});
