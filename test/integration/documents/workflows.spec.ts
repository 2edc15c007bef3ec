import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../../..');
const workflows = join(root, '.github/workflows');

describe('the workflows', () => {
  const texts = readdirSync(workflows).map((name) => readFileSync(join(workflows, name), 'utf8'));
  const all = texts.join('\n');

  it('run commands that there are', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object };
    const named = [...all.matchAll(/^ *- (?:run: )?npm (?:run )?(?!(?:ci|install)\b)(\w[\w:]*)/gm)].map(
      ([, name]) => name,
    );
    expect(named.length).toBeGreaterThan(3);
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named));
  });

  it('name actions, and the compose file and the Dockerfile images, by digest', () => {
    const actions = all.match(/(?<=uses: ).*/g) ?? [];
    const own = /^(?:build|dependencies|laurel-community)$/;
    const images = ['Dockerfile', 'docker-compose.yml']
      .flatMap((name) => readFileSync(join(root, name), 'utf8').match(/(?<=^ *image: |^FROM )\S+/gm) ?? [])
      .filter((name) => !own.test(name));
    expect([actions.length, images.length]).toEqual([12, 7]);
    expect(actions.filter((name) => !/^[\w/-]+@[0-9a-f]{40} # v[\d.]+$/.test(name))).toEqual([]);
    expect(images.filter((name) => !/^[\w/]+:[\w.-]+@sha256:[0-9a-f]{64}$/.test(name))).toEqual([]);
  });

  it('run every suite at night', () => {
    const listed = [...all.matchAll(/npm run test:all -- --selectProjects (.+)$/gm)].flatMap(([, names = '']) =>
      names.split(' '),
    );
    const suites = readdirSync(join(root, 'test')).filter((name) => name !== 'support');
    expect(listed.sort()).toEqual([...suites, 'unit'].sort());
  });
});
