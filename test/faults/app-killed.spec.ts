import { type PostgresServer, startPostgres } from '@laurel/servers';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { freshPrefix, testRedisUrl } from '../support/redis';
import { announceSeed, drawer, seed } from '../support/seed';
import { waitUntil } from '../support/wait-until';
import { Crowd } from './support/crowd';
import { MortalCommunity } from './support/mortal-community';
import { pointsInDatabase, pointsOnBoard, waitingIn } from './support/truth';

/** The long run: `LAUREL_TEST_KILLS=100 LAUREL_TEST_ACTIONS=2000`. */
const rounds = Number(process.env.LAUREL_TEST_KILLS ?? 5);
const actionsPerRound = Number(process.env.LAUREL_TEST_ACTIONS ?? 320);
const people = 16;

describe('the community, killed at random moments', () => {
  let postgres: PostgresServer;
  let database: Client;
  let community: MortalCommunity;
  let env: Record<string, string>;

  beforeAll(async () => {
    announceSeed();
    postgres = await startPostgres();
    database = new Client({ connectionString: postgres.url });
    await database.connect();
    env = { PORT: '0', REDIS_URL: testRedisUrl(), LAUREL_PREFIX: freshPrefix(), DATABASE_URL: postgres.url };
    community = await MortalCommunity.start(env);
  });
  afterAll(async () => {
    await community.stop();
    await database.end();
    await postgres.stop();
  });

  it(
    'loses no action that was committed, and counts none twice',
    async () => {
      const draw = drawer();
      const crowd = await Crowd.gather(() => community.url, people, draw);
      let interrupted = 0;
      for (let round = 0; round < rounds; round += 1) {
        let isDone = false;
        const acting = crowd.act(Math.ceil(actionsPerRound / people)).finally(() => (isDone = true));
        await delay(draw(700));
        await community.kill();
        interrupted += await waitingIn(database);
        expect(isDone).toBe(false);
        community = await MortalCommunity.start(env);
        await acting;
      }
      await waitUntil(async () => (await waitingIn(database)) === 0);
      const [truth, board] = [await pointsInDatabase(database), await pointsOnBoard(community.url)];
      const { rows } = await database.query<{ events: number }>('SELECT count(*)::int AS events FROM outbox');
      process.stdout.write(
        `seed ${seed}: ${rounds} kills, ${rows[0]?.events} events, ${interrupted} of them committed and not yet recorded at a kill\n`,
      );
      expect(new Map([...board].sort())).toEqual(new Map([...truth].sort()));
    },
    60_000 + rounds * 60_000,
  );
});
