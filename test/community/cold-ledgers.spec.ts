import { ColdMover } from '@laurel/activity/internals';
import { PostgresColdStores } from '@laurel/archive';
import type { PostgresServer } from '@laurel/servers';
import { systemClock } from '@laurel/leaderboard';
import type { Pool } from 'pg';
import { createPool } from '../../apps/community/src/database/pool';
import { ManualClock } from '../support/clock';
import { describeColdLedgers } from '../support/cold-contract';
import { ownRedis } from '../support/own-servers';
import { startTestPostgres } from '../support/postgres';
import { apiKey, TestCommunity } from './support/community';
import { ask } from './support/person';

let postgres: PostgresServer;
let pool: Pool;

beforeAll(async () => {
  postgres = await startTestPostgres();
  pool = createPool(postgres.url);
});
afterAll(async () => {
  await pool.end();
  await postgres.stop();
});

describeColdLedgers('PostgreSQL', (ledger) => new PostgresColdStores(pool).of(ledger));

describe('the community', () => {
  const own = ownRedis();

  it('takes back from all time what was given months ago, from its database', async () => {
    const clock = new ManualClock(systemClock.now());
    const community = await TestCommunity.start({ redis: { url: own.servers.url }, clock });
    try {
      const { app } = community;
      const send = async (event: object) => {
        const praise = { userId: 'ann', action: 'praise', subject: 'article:7', ...event };
        const sent = { token: apiKey, body: { events: [praise] } };
        return (await ask<{ results: { outcome: string }[] }>(app, 'POST', '/activity/events', sent)).body.results[0];
      };
      const score = async () =>
        (await ask<{ entry: { score: number } }>(app, 'GET', '/ranks/all/users/ann')).body.entry.score;
      await send({ occurredAt: new Date(systemClock.now() - 100 * 86_400_000).toISOString() });
      expect(await score()).toBe(2);
      // What was wanted stays for an hour.
      expect(await app.get(ColdMover).move()).toMatchObject({ moved: 0, left: 1 });
      clock.advance(2 * 3_600_000);
      expect(await app.get(ColdMover).move()).toEqual({ moved: 1, left: 0, dropped: 0 });
      const database = createPool(community.postgres.url);
      const { rows } = await database.query('SELECT member FROM cold_ledgers');
      await database.end();
      expect(rows).toEqual([{ member: Buffer.from('ann') }]);
      expect(await send({ revoke: true })).toMatchObject({ outcome: 'revoked', points: -2 });
      expect(await score()).toBe(0);
    } finally {
      await community.stop();
    }
  });
});
