import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';

const root = join(__dirname, '../..');

/** The rules that are broken in a tree with our rooms and these files, each as `rule: from → to`. */
async function broken(files: Readonly<Record<string, string>>): Promise<string[]> {
  const tree = await mkdtemp(join(tmpdir(), 'laurel-rooms-'));
  try {
    await cp(join(root, 'tsconfig.json'), join(tree, 'tsconfig.json'));
    await symlink(join(root, 'node_modules'), join(tree, 'node_modules'));
    const doors = [
      ...['activity', 'leaderboard', 'outbox', 'servers', 'settings'].map((lib) => `libs/${lib}/src/index.ts`),
      'libs/activity/src/internals.ts',
    ];
    const fronts = doors.map((path) => [path, 'export const it = 1;']);
    for (const [path, source] of [...fronts, ...Object.entries(files)] as [string, string][]) {
      await mkdir(join(tree, dirname(path)), { recursive: true });
      await writeFile(join(tree, path), source);
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
  } finally {
    await rm(tree, { recursive: true, force: true });
  }
}

describe('the rooms', () => {
  it('may use what lies below them, by its front door', async () => {
    expect(
      await broken({
        'apps/community/src/main.ts':
          "import '@laurel/activity'; import '@laurel/outbox'; import '@laurel/servers'; import '@laurel/settings'; import '@nestjs/core';",
        'libs/settings/src/index.ts': "import '@laurel/activity'; import '@laurel/activity/internals';",
        'libs/activity/src/index.ts': "import '@laurel/leaderboard'; import '@nestjs/common';",
        'libs/outbox/src/index.ts': "import 'pg'; import 'node:timers/promises';",
        'libs/leaderboard/src/index.ts': "import 'ioredis'; import 'node:crypto'; import 'temporal-polyfill';",
      }),
    ).toEqual([]);
  });

  describe('refuse', () => {
    const cases = [
      [
        'the engine using the framework',
        'leaderboard-is-framework-free',
        'libs/leaderboard/src/nest.ts',
        '@nestjs/common',
      ],
      [
        'the engine using the module',
        'leaderboard-is-framework-free',
        'libs/leaderboard/src/up.ts',
        '@laurel/activity',
      ],
      [
        'the module using the servers',
        'activity-knows-only-the-engine',
        'libs/activity/src/side.ts',
        '@laurel/servers',
      ],
      [
        'the module using an app',
        'activity-knows-only-the-engine',
        'libs/activity/src/up.ts',
        '../../../apps/cli/src/b',
      ],
      [
        'the core using a module beside it',
        'activity-core-knows-no-module',
        'libs/activity/src/ranks/up.ts',
        '../live/b',
      ],
      ['the servers using the engine', 'servers-knows-no-room', 'libs/servers/src/side.ts', '@laurel/leaderboard'],
      ['the settings using the servers', 'settings-configure-activity', 'libs/settings/src/side.ts', '@laurel/servers'],
      ['the outbox using the module', 'outbox-knows-only-the-database', 'libs/outbox/src/up.ts', '@laurel/activity'],
      ['an app using another', 'apps-do-not-share', 'apps/community/src/side.ts', '../../cli/src/b'],
      ['an app using tests', 'apps-do-not-share', 'apps/community/src/test.ts', '../../../test/support/b'],
      [
        'a minimal app using the engine',
        'minimal-knows-only-the-package',
        'apps/minimal/src/side.ts',
        '@laurel/leaderboard',
      ],
      [
        'a minimal app using what the package does not have',
        'minimal-knows-only-the-package',
        'apps/minimal/src/inside.ts',
        '@laurel/activity/internals',
      ],
      [
        'an example using what the package does not have',
        'examples-know-only-the-packages',
        'examples/guards/inside.ts',
        '@laurel/activity/internals',
      ],
      ['a path into a library', 'rooms-by-their-front-door', 'apps/cli/src/path.ts', '../../../libs/activity/src/b'],
      ['an import that leads nowhere', 'unresolvable', 'apps/cli/src/lost.ts', './nowhere'],
      ['a folder of an app using its root', 'apps-start-at-their-root', 'apps/cli/src/folder/up.ts', '../b'],
      ['a circle', 'no-circular', 'libs/servers/src/one.ts', './two'],
    ] as const;
    let found: string[];

    beforeAll(async () => {
      found = await broken({
        ...Object.fromEntries(cases.map(([, , from, to]) => [from, `import '${to}';`])),
        'libs/servers/src/two.ts': "import './one';",
        'apps/cli/src/b.ts': '',
        'libs/activity/src/b.ts': '',
        'libs/activity/src/live/b.ts': '',
        'test/support/b.ts': '',
      });
    });

    it.each(cases)('%s', (_, rule, from) => {
      expect(found).toContainEqual(expect.stringContaining(`${rule}: ${from} → `));
    });
  });

  describe('refuse folders of a room that import each other', () => {
    const src = 'apps/cli/src';
    const pairs = (found: readonly string[]) => found.filter((line) => line.startsWith('folders-import-one-way'));

    it.each([
      ['directly', { 'one/a.ts': '../two/b', 'two/c.ts': '../one/d', 'two/b.ts': '', 'one/d.ts': '' }, ['one', 'two']],
      [
        'by way of a third',
        { 'one/a.ts': '../two/b', 'two/b.ts': '../three/c', 'three/c.ts': '../one/d', 'one/d.ts': '' },
        ['one', 'three', 'two'],
      ],
      [
        'from folders inside them',
        { 'one/in/a.ts': '../../two/b', 'two/in/c.ts': '../../one/d', 'two/b.ts': '', 'one/d.ts': '' },
        ['one', 'two'],
      ],
      [
        'inside a folder',
        { 'one/x/a.ts': '../y/b', 'one/y/c.ts': '../x/d', 'one/y/b.ts': '', 'one/x/d.ts': '' },
        ['one/x', 'one/y'],
      ],
    ])('%s', async (_, imports, folders) => {
      const found = pairs(await broken(filesOf(imports)));
      for (const folder of folders) {
        expect(found).toContainEqual(expect.stringContaining(`folders-import-one-way: ${src}/${folder} → ${src}/`));
      }
    });

    it('and a folder that is entered past its top, where a circle would not be seen', async () => {
      const found = await broken(
        filesOf({ 'one/a.ts': '../two/in/b', 'two/in/b.ts': '', 'three/x/a.ts': '../y/in/b', 'three/y/in/b.ts': '' }),
      );
      expect(found.sort()).toEqual([
        `folders-by-their-top: ${src}/one/a.ts → ${src}/two/in/b.ts`,
        `inner-folders-by-their-top: ${src}/three/x/a.ts → ${src}/three/y/in/b.ts`,
      ]);
    });

    it('but not a folder and the folders inside it', async () => {
      expect(
        await broken(filesOf({ 'one/a.ts': './in/b', 'one/in/b.ts': '../c', 'one/c.ts': '', 'one/in/d.ts': '../c' })),
      ).toEqual([]);
    });

    /** Files of a room, each with what it imports, if anything. */
    function filesOf(imports: Readonly<Record<string, string>>): Record<string, string> {
      const sources = Object.entries(imports).map(([path, to]) => [`${src}/${path}`, to && `import '${to}';`]);
      return Object.fromEntries(sources) as Record<string, string>;
    }
  });
});
