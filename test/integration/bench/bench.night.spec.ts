import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '../../support/temporary-folder';
import { root, run } from '../../support/run';

describe('npm run bench', () => {
  const folder = temporaryFolder();

  /** The benchmarks as their sources are, in a folder of its own. */
  const bench = (name: string, env: NodeJS.ProcessEnv = {}) => {
    const program = ['-r', join(root, 'tools/register-typescript.cjs'), join(root, 'apps/bench/src/main.ts')];
    const choice = ['--only', name, '--quick', '--rounds', '1', '--members', '10'];
    return run(process.execPath, [...program, ...choice], { cwd: folder, env: { ...process.env, ...env } });
  };

  it('asks for ranks as often as it can: the app that it starts does not throttle it', async () => {
    const { stdout } = await bench('ranks-route', { LAUREL_THROTTLE_REQUESTS: '1' });
    expect(stdout).toMatch(/^\| GET \/ranks\/day\?limit=10 \| 10 members, 32 connections, \d+ bytes \| /m);
    expect(stdout).not.toContain('FAILED');
  });

  it('settles the same board in each round', async () => {
    const { stdout } = await bench('settle');
    expect(stdout).toMatch(/^\| settle: entries a second \| 10 entries \| /m);
  });

  it('writes into the archive in PostgreSQL, reads it, and settles once while users are excluded', async () => {
    const { stdout } = await bench('archive');
    expect(stdout).toMatch(/^\| archive: written \| 10 entries \| /m);
    expect(stdout).toMatch(/^\| archive: p99 of a user’s last ten places \| 20 rows \| /m);
    expect(stdout).toMatch(/^\| archive: drafts of that \| 10 entries \| 1\.00 .* reached \|$/m);
  });

  it('prints rows that processes of their own have measured as one table', async () => {
    const { stdout, stderr } = await bench('memory,estimate-rank');
    expect(stdout).toMatch(/^\| ranks estimated from scores \| 10 members, .*\n\| memory: a user-day /m);
    expect(stderr).toContain('memory: memory in Redis');
  });

  it('ends with its table and its JSON where a benchmark fails, and says so by its exit code', async () => {
    const ended = await bench('ranks-route', { LAUREL_TIMEZONE: 'Mars/Olympus' }).catch((error: unknown) => error);
    expect(ended).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('| GET /ranks/day?limit=10 | FAILED: ') as string,
      stderr: expect.stringContaining('1 of 1 benchmarks failed: ranks-route.') as string,
    });
    const reports = (await readdir(join(folder, '.data/bench'))).sort();
    const report: unknown = JSON.parse(await readFile(join(folder, '.data/bench', reports.at(-1) ?? ''), 'utf8'));
    expect(report).toMatchObject({ results: [], failures: [{ name: 'ranks-route' }] });
  });
});
