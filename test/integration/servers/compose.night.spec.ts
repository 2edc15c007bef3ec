import { type RedisServer, startRedis } from '@laurel/servers';
import { Redis } from 'ioredis';
import { spawnSync } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '../../support/temporary-folder';
import { root, run } from '../../support/run';

const hasCompose = spawnSync('docker', ['compose', 'version']).status === 0;
const hasClient = spawnSync('redis-cli', ['--version']).status === 0;

describe('docker-compose.yml', () => {
  const title = (name: string): string => (hasCompose ? name : `${name} (skipped: no docker compose on this machine)`);

  (hasCompose ? it : it.skip)(title('describes the app, its Valkey and its PostgreSQL'), async () => {
    const { stdout } = await run('docker', ['compose', 'config', '--services'], { cwd: root });
    expect(stdout.trim().split('\n').sort()).toEqual(['app', 'postgres', 'secrets', 'valkey']);
  });

  (hasCompose ? it : it.skip)(title('describes a cluster of six nodes in its profile'), async () => {
    const { stdout } = await run('docker', ['compose', '--profile', 'cluster', 'config', '--services'], {
      cwd: root,
    });
    const services = stdout.trim().split('\n');
    expect(services.filter((name) => name.startsWith('node-'))).toHaveLength(6);
    expect(services).toEqual(expect.arrayContaining(['app-cluster', 'cluster-init', 'postgres-cluster']));
  });
});

const folder = temporaryFolder();

it('the secrets of docker-compose.yml are made once, all of them, can be read by the apps and by nobody guessed', async () => {
  const compose = await readFile(join(root, 'docker-compose.yml'), 'utf8');
  const [, folded = 'exit 1'] = /- >-\n( +umask [^]+?; done)\n/.exec(compose) ?? [];
  const command = folded
    .replace(/\s*\n\s*/g, ' ')
    .replaceAll('$$', '$')
    .replaceAll('/made', folder);
  const files = [...new Set(compose.match(/(?<=\/run\/laurel\/)[\w-]+/g))].map((name) => join(folder, name));
  const read = () => Promise.all(files.map((file) => readFile(file, 'utf8')));
  await run('sh', ['-c', `umask 077; ${command}`]);
  const made = await read();
  expect(files).toHaveLength(2);
  expect(new Set(made).size).toBe(2);
  for (const secret of made) expect(secret).toMatch(/^[0-9a-f]{64}$/);
  for (const file of files) expect((await stat(file)).mode & 0o777).toBe(0o644);
  await run('sh', ['-c', command]);
  expect(await read()).toEqual(made);
  expect(compose).not.toMatch(/(?:PASSWORD|SECRET|KEYS?): *[^\s/]/);
});

describe('docker/form-cluster.sh', () => {
  let nodes: RedisServer[];

  beforeAll(async () => {
    const start = (n: number): Promise<RedisServer> => startRedis({ dataDir: join(folder, String(n)), cluster: true });
    nodes = await Promise.all([0, 1, 2, 3, 4, 5].map(start));
  });
  afterAll(() => Promise.all(nodes.map((node) => node.kill())));

  const form = async (): Promise<string> => {
    const list = nodes.map(({ port }) => `localhost:${port}`).join(' ');
    const env = { ...process.env, CLI: 'redis-cli', NODES: list, REPLICAS: '1' };
    return (await run('sh', [join(root, 'docker/form-cluster.sh')], { env })).stdout;
  };

  const name = hasClient ? '' : ' (skipped: no redis-cli on this machine)';
  (hasClient ? it : it.skip)(`forms a cluster, and brings it together again after a restart${name}`, async () => {
    expect(await form()).toContain('The cluster is well.');
    const client = new Redis(nodes[0]?.url ?? '');
    expect(await client.cluster('INFO')).toContain('cluster_size:3');
    client.disconnect();
    await Promise.all(nodes.map((node) => node.restart()));
    expect(await form()).toContain('The cluster is well.');
  });
});
