import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { copyOfRepository } from '../support/temporary-folder';
import { root } from '../support/run';

const { folder: tree, put } = copyOfRepository(['tsconfig.json']);

/** The rules that are broken in a tree with our rooms and these files, each as `rule: from → to`. */
async function broken(files: Readonly<Record<string, string>>): Promise<string[]> {
  const doors = [
    ...['activity', 'leaderboard', 'outbox', 'servers', 'settings'].map((lib) => `libs/${lib}/src/index.ts`),
    'libs/activity/src/internals.ts',
  ];
  const fronts = doors.map((path) => [path, 'export const it = 1;']);
  for (const [path, source] of [...fronts, ...Object.entries(files)] as [string, string][]) {
    await put(path, source);
  }
  const depcruise = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const config = join(root, '.dependency-cruiser.cjs');
  const folders = [...new Set(['libs', ...Object.keys(files).map((path) => path.split('/')[0] ?? '')])];
  const args = [depcruise, '--config', config, '--output-type', 'json', ...folders];
  const child = spawn(process.execPath, args, { cwd: tree, stdio: ['ignore', 'pipe', 'inherit'] });
  const report = JSON.parse(await text(child.stdout)) as {
    summary: { violations: { rule: { name: string }; from: string; to: string }[] };
  };
  return report.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`);
}

/** The files of an app, each with what it imports, if anything. */
const filesOf = (app: string, imports: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(imports).map(([path, to]) => [`apps/${app}/src/${path}`, to && `import '${to}';`]),
  ) as Record<string, string>;

it('a room may use what lies below it, by its front door, and a folder the folders inside it', async () => {
  expect(
    await broken({
      'apps/community/src/main.ts':
        "import '@laurel/activity'; import '@laurel/outbox'; import '@laurel/settings'; import '@nestjs/core';",
      'libs/settings/src/index.ts': "import '@laurel/activity'; import '@laurel/activity/internals';",
      'libs/activity/src/index.ts': "import '@laurel/leaderboard'; import '@nestjs/common';",
      'libs/outbox/src/index.ts': "import 'pg'; import 'node:timers/promises';",
      'libs/leaderboard/src/index.ts': "import 'ioredis'; import 'node:crypto'; import 'temporal-polyfill';",
      ...filesOf('cli', { 'one/a.ts': './in/b', 'one/in/b.ts': '../c', 'one/c.ts': '', 'one/in/d.ts': '../c' }),
    }),
  ).toEqual([]);
});

describe('the rooms refuse', () => {
  /** The rule, who breaks it, and by what. */
  const uses = [
    ['leaderboard-is-framework-free', 'libs/leaderboard/src/nest.ts', '@nestjs/core'],
    ['leaderboard-is-framework-free', 'libs/leaderboard/src/up.ts', '@laurel/activity'],
    ['activity-knows-only-the-engine', 'libs/activity/src/side.ts', '@laurel/servers'],
    ['activity-knows-only-the-engine', 'libs/activity/src/up.ts', '../../../apps/cli/src/b'],
    ['activity-core-knows-no-module', 'libs/activity/src/core/ranks/up.ts', '../../live/b'],
    ['servers-knows-no-room', 'libs/servers/src/side.ts', '@laurel/leaderboard'],
    ['settings-configure-activity', 'libs/settings/src/side.ts', '@laurel/servers'],
    ['outbox-knows-only-the-database', 'libs/outbox/src/up.ts', '@laurel/activity'],
    ['community-knows-only-the-packages', 'apps/community/src/inside.ts', '@laurel/activity/internals'],
    ['apps-do-not-share', 'apps/community/src/side.ts', '../../cli/src/b'],
    ['apps-do-not-share', 'apps/community/src/test.ts', '../../../test/support/b'],
    ['minimal-knows-only-the-package', 'apps/minimal/src/a.ts', '@laurel/leaderboard'],
    ['minimal-knows-only-the-package', 'apps/minimal/src/inside.ts', '@laurel/activity/internals'],
    ['examples-know-only-the-packages', 'examples/guards/inside.ts', '@laurel/activity/internals'],
    ['rooms-by-their-front-door', 'apps/cli/src/path.ts', '../../../libs/activity/src/b'],
    ['unresolvable', 'apps/cli/src/lost.ts', './nowhere'],
    ['apps-start-at-their-root', 'apps/cli/src/folder/up.ts', '../b'],
    ['no-circular', 'libs/servers/src/one.ts', './two'],
  ] as const;
  /** Folders that import each other, each way in an app of its own. */
  const circles: Readonly<Record<string, Record<string, string>>> = {
    directly: { 'one/a.ts': '../two/b', 'two/c.ts': '../one/d', 'two/b.ts': '', 'one/d.ts': '' },
    'by-way-of-a-third': { 'one/a.ts': '../two/b', 'two/b.ts': '../three/c', 'three/c.ts': '../one/d', 'one/d.ts': '' },
    'from-folders-inside': {
      'one/in/a.ts': '../../two/b',
      'two/in/c.ts': '../../one/d',
      'two/b.ts': '',
      'one/d.ts': '',
    },
    'inside-a-folder': { 'one/x/a.ts': '../y/b', 'one/y/c.ts': '../x/d', 'one/y/b.ts': '', 'one/x/d.ts': '' },
  };
  let found: string[];

  beforeAll(async () => {
    const entered = {
      'one/a.ts': '../two/in/b',
      'two/in/b.ts': '',
      'three/x/a.ts': '../y/in/b',
      'three/y/in/b.ts': '',
    };
    found = await broken({
      ...Object.fromEntries(uses.map(([, from, to]) => [from, `import '${to}';`])),
      'libs/servers/src/two.ts': "import './one';",
      ...Object.fromEntries(
        ['apps/cli/src', 'libs/activity/src', 'libs/activity/src/live', 'test/support'].map((at) => [`${at}/b.ts`, '']),
      ),
      ...Object.assign({}, ...Object.entries(circles).map(([app, imports]) => filesOf(app, imports))),
      ...filesOf('past-the-top', entered),
    });
  });

  it.each(uses)('by %s that %s uses %s', (rule, from) => {
    expect(found).toContainEqual(expect.stringContaining(`${rule}: ${from} → `));
  });

  it.each([
    ['directly', ['one', 'two']],
    ['by-way-of-a-third', ['one', 'three', 'two']],
    ['from-folders-inside', ['one', 'two']],
    ['inside-a-folder', ['one/x', 'one/y']],
  ])('folders that import each other: %s', (app, folders) => {
    for (const folder of folders)
      expect(found).toContainEqual(
        expect.stringContaining(`folders-import-one-way: apps/${app}/src/${folder} → apps/${app}/src/`),
      );
  });

  it('a folder that is entered past its top, where a circle would not be seen', () => {
    const src = 'apps/past-the-top/src';
    expect(found.filter((line) => line.includes(src)).sort()).toEqual([
      `folders-by-their-top: ${src}/one/a.ts → ${src}/two/in/b.ts`,
      `inner-folders-by-their-top: ${src}/three/x/a.ts → ${src}/three/y/in/b.ts`,
    ]);
  });
});
