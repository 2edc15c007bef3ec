import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = join(__dirname, '../../..');

describe('npm test -- --server', () => {
  it('refuses a version that it does not know, and names those that it does', async () => {
    await expect(run(process.execPath, ['tools/test.mjs', '--server', 'redis-5'], { cwd: root })).rejects.toMatchObject(
      {
        code: 1,
        stderr: 'There is no server "redis-5": use one of redis-7.0, redis-8.0, valkey-8.0.\n',
      },
    );
  });

  it('unpacks a version once', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'laurel-servers-'));
    await mkdir(join(folder, 'valkey-8.0'));
    const program = `import { unpackedServer } from './tools/unpacked-server.mjs';
      console.log(unpackedServer('valkey-8.0', ${JSON.stringify(folder)}));`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], { cwd: root });
    expect(stdout.trim()).toBe(join(folder, 'valkey-8.0', 'bin'));
    await rm(folder, { recursive: true });
  });
});
