import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { freePort } from '@laurel/servers';
import { freshPrefix, testRedisUrl } from '../../support/redis';
import { temporaryFolder } from '../../support/temporary-folder';
import { npmSettings } from './support/npm-settings';
import { packPackages, root } from './support/packages';
import { isOnline, unlessOnline } from './support/registry';

const [, section = ''] = /^## Use it\n([^]*?)^## /m.exec(readFileSync(join(root, 'README.md'), 'utf8')) ?? [];
/** Its blocks of code, each with the words before it and its language. */
const blocks = [...section.matchAll(/([^]*?)^```(\w+)\n([^]*?)^```$/gm)];

beforeAll(packPackages);

describe.each(['12', '11'])('a newcomer with the Nest CLI %s, who types what the README says', (nest) => {
  const folder = temporaryFolder();

  (isOnline ? it : it.skip)(`comes from an empty folder to their own first rank${unlessOnline}`, async () => {
    const [port, LAUREL_PREFIX, cwd] = [`${await freePort()}`, freshPrefix(), join(folder, 'laurel')];
    symlinkSync(root, cwd);
    // Of a line of Nest before the present one, the README names the packages that are other ones.
    const [, others = ''] = new RegExp(`On Nest ${nest}\\b(.*?)\\.(?:\\s|$)`, 's').exec(section) ?? [];
    const pinned = [...others.matchAll(/`((@?[^`@]+)@[^`]+)`/g)];
    const here = (code: string) =>
      pinned
        .reduce((all, [, pin = '', name]) => all.replace(new RegExp(`${name}@\\d+`), pin), code)
        .replace('build:packages', '$& -- --if-stale')
        .replace('redis: {', `prefix: '${LAUREL_PREFIX}', $&`)
        .replaceAll('redis://localhost:6379', testRedisUrl())
        .replaceAll('localhost:3000', `localhost:${port}`);
    const start = `npm start & until curl -s localhost:${port}; do kill -0 $!; sleep 0.2; done`;
    const steps = blocks.flatMap(([, words = '', language, code = '']) => [
      words.includes('`npm start`') ? start : '',
      language === 'sh' ? here(code) : `cat > ${/`(src\/[\w./-]+)`/.exec(words)?.[1]} <<'END'\n${here(code)}END`,
    ]);
    // A newcomer says yes when npx asks, and has no settings of this repository. What the shell starts ends with it.
    const own = { LAUREL_PREFIX, PWD: cwd, PORT: port, npm_config_yes: 'true', npm_config_omit: undefined };
    const script = ["trap 'kill 0' EXIT", ...steps].join('\n');
    const shell = spawn('bash', ['-ec', script], {
      cwd,
      detached: true,
      env: { ...process.env, ...npmSettings, ...own },
    });
    const [out, err] = await Promise.all([text(shell.stdout), text(shell.stderr), once(shell, 'exit')]);
    expect(`${out}${err}`).toMatch(/"granted"[^]*"duplicate"[^]*"rank":1,"userId":"ann"[^]*0 differences/);
  });
});
