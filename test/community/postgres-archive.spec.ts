import { PostgresArchive } from '@laurel/archive';
import type { PostgresServer } from '@laurel/servers';
import type { Pool } from 'pg';
import { createPool } from '../../apps/community/src/database/pool';
import { dayFacts, describeArchive, standingsOf } from '../support/archive-contract';
import { startTestPostgres } from '../support/postgres';

let postgres: PostgresServer;
let pool: Pool;
const archive = () => new PostgresArchive(pool);

beforeAll(async () => {
  postgres = await startTestPostgres();
  pool = createPool(postgres.url);
});
afterAll(async () => {
  await pool.end();
  await postgres.stop();
});

describeArchive('PostgreSQL', archive);

describe('the archive in PostgreSQL', () => {
  const rows = async (table: string) => (await pool.query(`SELECT 1 FROM ${table} WHERE true`)).rowCount;

  it('drops the draft of a writer that died, and refuses it when it comes back', async () => {
    const facts = dayFacts('dead', 0, 12_000);
    const before = [await rows('settled_periods'), await rows('settled_entries')];
    const dead = await archive().begin('dead', facts.period);
    await dead.append(standingsOf(12_000));
    await dead.append([]); // what was written meanwhile is there
    expect(await rows('settled_entries')).toBe((before[1] ?? 0) + 10_000);
    await pool.query(
      "UPDATE settled_periods SET touched_at = now() - interval '61 minutes' WHERE leaderboard = 'dead'",
    );
    await (await archive().begin('dead', facts.period)).abandon();
    expect([await rows('settled_periods'), await rows('settled_entries')]).toEqual(before);
    await dead.append(standingsOf(10_000));
    await expect(dead.append([])).rejects.toThrow('given up for dead');
    await expect(dead.commit(facts)).rejects.toThrow('given up for dead');
    expect(await archive().find('dead', facts.period)).toBeNull();
    expect([await rows('settled_periods'), await rows('settled_entries')]).toEqual(before);
  });

  it('abandons nothing that was committed', async () => {
    const facts = dayFacts('kept', 0, 10);
    const draft = await archive().begin('kept', facts.period);
    await draft.append(standingsOf(10));
    await draft.commit(facts);
    await draft.abandon();
    expect(await archive().page('kept', facts.period, 0, 100)).toEqual(standingsOf(10));
  });
});
