import { type PostgresServer, startPostgres } from '@laurel/servers';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterThisTest } from '../../support/endings';
import { temporaryFolder } from '../../support/temporary-folder';

describe('a private PostgreSQL', () => {
  const start = async (...options: Parameters<typeof startPostgres>): Promise<PostgresServer> => {
    const server = await startPostgres(...options);
    afterThisTest(() => server.kill());
    return server;
  };
  const dataDir = temporaryFolder('each test');
  const query = async (server: PostgresServer, sql: string): Promise<unknown[]> => {
    const client = new Client({ connectionString: server.url });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows;
    } finally {
      await client.end();
    }
  };

  it('answers as soon as it is given, in UTF-8 and UTC, on the loopback address alone', async () => {
    const server = await start();
    const settings = `SELECT current_database() AS database, current_setting('server_encoding') AS encoding,
      current_setting('timezone') AS zone, current_setting('listen_addresses') AS address`;
    expect(await query(server, settings)).toEqual([
      { database: 'laurel', encoding: 'UTF8', zone: 'UTC', address: '127.0.0.1' },
    ]);
  });

  it('lets nobody in without its password', async () => {
    const server = await start();
    const client = new Client({ connectionString: server.url.replace(/:[^:@]+@/, ':wrong@') });
    await expect(client.connect()).rejects.toThrow('password authentication failed');
  });

  it('finds its data again after a stop and after a crash', async () => {
    const first = await start({ dataDir });
    await query(first, "CREATE TABLE kept AS SELECT 'yes' AS value");
    await first.stop();
    const second = await start({ dataDir });
    await query(second, "INSERT INTO kept VALUES ('too')");
    await second.kill();
    const third = await start({ dataDir });
    expect(await query(third, 'SELECT value FROM kept')).toEqual([{ value: 'yes' }, { value: 'too' }]);
  });

  it('begins with a copy of what another has stored, and leaves that as it was', async () => {
    const first = await start({ dataDir });
    await query(first, "CREATE TABLE kept AS SELECT 'yes' AS value");
    await first.stop();
    const second = await start({ copyOf: dataDir });
    await query(second, "INSERT INTO kept VALUES ('mine')");
    const third = await start({ copyOf: dataDir });
    expect(await query(third, 'SELECT value FROM kept')).toEqual([{ value: 'yes' }]);
  });

  it('starts although another program has the pid that a crashed server left behind', async () => {
    const first = await start({ dataDir });
    await query(first, "CREATE TABLE kept AS SELECT 'yes' AS value");
    await first.kill();
    const lock = join(dataDir, 'cluster', 'postmaster.pid');
    const lines = (await readFile(lock, 'utf8')).split('\n');
    await writeFile(lock, [String(process.pid), ...lines.slice(1)].join('\n'));
    const second = await start({ dataDir });
    expect(await query(second, 'SELECT value FROM kept')).toEqual([{ value: 'yes' }]);
    expect((await readFile(lock, 'utf8')).split('\n')[0]).toBe(String(second.pid));
  });

  it('starts where an earlier first start was broken off', async () => {
    await mkdir(join(dataDir, 'cluster.new'));
    await writeFile(join(dataDir, 'cluster.new', 'PG_VERSION'), '18\n');
    await query(await start({ dataDir }), 'CREATE TABLE mine ()');
    await expect(stat(join(dataDir, 'cluster.new'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('runs below a folder that only its owner may enter, root as well, and leaves that closed', async () => {
    const mode = async () => (await stat(dataDir)).mode & 0o777;
    expect(await mode()).toBe(0o700);
    // PostgreSQL itself refuses to run as root: there it runs as somebody who may not enter.
    const server = await start({ dataDir: join(dataDir, 'data') });
    expect(await query(server, 'SHOW data_directory')).toEqual([{ data_directory: join(dataDir, 'data', 'cluster') }]);
    expect(await mode()).toBe(0o700);
  });

  it('runs beside another', async () => {
    const [one, two] = await Promise.all([start(), start()]);
    expect(one.port).not.toBe(two.port);
    await query(one, 'CREATE TABLE mine ()');
    await expect(query(two, 'SELECT FROM mine')).rejects.toThrow('does not exist');
  });

  it('removes its temporary folder', async () => {
    const server = await start();
    const [row] = (await query(server, 'SHOW data_directory')) as [{ data_directory: string }];
    await server.stop();
    await expect(stat(row.data_directory)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
