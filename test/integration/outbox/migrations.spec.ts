import { outboxMigrations } from '@laurel/outbox';
import { type PostgresServer, startPostgres } from '@laurel/servers';
import { Client } from 'pg';
import { startTestPostgres } from '../../support/postgres';

/** What a database has of the outbox: columns, indexes and functions, in the database's own words. */
async function outboxOf(database: Client): Promise<Record<string, readonly string[]>> {
  const columns = `SELECT concat_ws(' ', column_name, data_type, is_nullable, column_default, identity_generation) AS line
    FROM information_schema.columns WHERE table_name = 'outbox' ORDER BY ordinal_position`;
  const indexes = `SELECT indexdef AS line FROM pg_indexes WHERE tablename = 'outbox' ORDER BY indexname`;
  // Comments are not compared.
  const functions = `SELECT regexp_replace(pg_get_functiondef(oid), '--[^\n]*\n', '', 'g') AS line FROM pg_proc
    WHERE proname LIKE 'outbox%' ORDER BY proname`;
  const lines = async (text: string) => (await database.query<{ line: string }>(text)).rows.map(({ line }) => line);
  return { columns: await lines(columns), indexes: await lines(indexes), functions: await lines(functions) };
}

describe('the migrations of an outbox of one’s own', () => {
  const servers: PostgresServer[] = [];
  const clients: Client[] = [];
  const connect = async (server: PostgresServer) => {
    servers.push(server);
    const client = new Client({ connectionString: server.url });
    clients.push(client);
    await client.connect();
    return client;
  };
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.end()));
    await Promise.all(servers.map((server) => server.stop()));
  });

  it('make what the community has, and take all of it back', async () => {
    const [community, own] = [await connect(await startTestPostgres()), await connect(await startPostgres())];
    for (const { up } of outboxMigrations) await own.query(up);
    const made = await outboxOf(own);
    expect(made.columns).toHaveLength(7);
    expect(made).toEqual(await outboxOf(community));
    for (const { down } of outboxMigrations.toReversed()) await own.query(down);
    expect(await outboxOf(own)).toEqual({ columns: [], indexes: [], functions: [] });
  });
});
