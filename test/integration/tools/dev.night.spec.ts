import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '@laurel/servers';
import { copyOfRepository } from '../../support/temporary-folder';
import { waitUntil } from '../../support/wait-until';

const withinMs = 300_000;

/** In place of the demo: it says where its pages are, answers all routes, and takes a while to end. */
const demo = `
import { greeting } from '@laurel/greeting';
import { createServer } from 'node:http';
createServer((_request, response) => response.end(greeting)).listen(Number(process.env.PORT), '127.0.0.1');
process.on('SIGTERM', () => setTimeout(() => process.exit(), 500));
console.log(\`Laurel is running: \${process.argv[2]}\`);
`;

describe('npm run dev', () => {
  const { folder: clone, put } = copyOfRepository(['tools', 'apps/web', 'package.json', 'tsconfig.json'], 'each test');
  let dev: ChildProcess;
  let printed: string;
  let site: string;

  const page = async (path: string) => (await fetch(`${site}${path}`)).text();
  const until = (what: string, condition: () => boolean | Promise<boolean>) => waitUntil(condition, { withinMs, what });

  beforeEach(async () => {
    await put('apps/demo/src/main.ts', demo);
    await put('libs/greeting/src/index.ts', "export const greeting: string = 'Hello';");
    const port = await freePort();
    site = `http://localhost:${port}`;
    const env = { ...process.env, PORT: `${await freePort()}` };
    dev = spawn(process.execPath, ['tools/dev.mjs', '--port', `${port}`], { cwd: clone, env });
    printed = '';
    for (const stream of [dev.stdout, dev.stderr])
      stream?.on('data', (chunk: Buffer) => {
        printed += chunk.toString();
      });
  });
  afterEach(async () => {
    if (dev.exitCode === null && dev.kill()) await once(dev, 'close');
  });

  it('serves the pages from their sources, starts the demo again when a source changes, and ends all', async () => {
    await until('the demo', () => printed.includes(`Laurel is running: ${site}`));
    await until('the pages', async () => (await page('/')).includes('/@vite/client'));
    await until('the routes behind them', async () => (await page('/routes')) === 'Hello');
    // Twice, once written in place and once replaced, as editors do.
    await put('libs/greeting/src/index.ts', "export const greeting: string = 'Welcome';");
    await until('the second start', async () => (await page('/routes')) === 'Welcome');
    await rm(join(clone, 'libs/greeting/src/index.ts'));
    await put('libs/greeting/src/index.ts', "export const greeting: string = 'Good day';");
    await until('the third start', async () => (await page('/routes')) === 'Good day');
    dev.kill('SIGINT');
    // All that it has started holds its output open.
    expect(await once(dev, 'close')).toEqual([0, null]);
    expect(printed).not.toContain('EADDRINUSE');
  });

  it('shows what does not compile, tries again after the next change, and ends all meanwhile, too', async () => {
    await until('the demo', () => printed.includes('Laurel is running'));
    await put('apps/demo/src/main.ts', 'const = 1;');
    await until('the hint', () => printed.includes('Failed running'));
    expect(printed).toContain('const = 1;');
    await put('apps/demo/src/main.ts', demo);
    await until('the routes', async () => (await page('/routes')) === 'Hello');
    await put('apps/demo/src/main.ts', `${demo} // changed`);
    await until('the restart', () => printed.split('Restarting').length > 3);
    dev.kill('SIGTERM');
    expect(await once(dev, 'close')).toEqual([0, null]);
  });
});
