import { setTimeout as delay } from 'node:timers/promises';
import { drawer, seed } from '../support/seed';
import { freshPrefix, testRedisUrl, waitUntil } from '../support';
import { Crowd } from './support/crowd';
import { expectCleanAudit, expectEveryBoard } from './support/every-board';
import { MortalCommunity } from './support/mortal-community';
import { waitingIn } from './support/truth';
import { sampled } from '../support/sampled';
import { ownPostgres } from '../support/postgres';

/** The long run: `LAUREL_TEST_KILLS=100 LAUREL_TEST_ACTIONS=2000`. */
const kills = Number(process.env.LAUREL_TEST_KILLS ?? sampled({ sample: 3, full: 50 }));
const actionsPerRound = Number(process.env.LAUREL_TEST_ACTIONS ?? sampled({ sample: 200, full: 320 }));
const people = 16;

let community: MortalCommunity;
afterAll(() => community.stop());
const postgres = ownPostgres({ max: 1 });
let env: Record<string, string>;

beforeAll(async () => {
  env = { PORT: '0', REDIS_URL: testRedisUrl(), LAUREL_PREFIX: freshPrefix(), DATABASE_URL: postgres.servers.url };
  community = await MortalCommunity.start(env);
});

const connections = async () => {
  const { rows } = await postgres.client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`,
  );
  return rows[0]?.count ?? 0;
};
/** Begins to recover, and is killed while it starts or in its first second. Gives whether it listened. */
const dieRecovering = async (draw: (below: number) => number) => {
  await waitUntil(async () => (await connections()) === 0, { what: 'that nobody is connected' });
  community = MortalCommunity.launch(env);
  const isToListen = draw(2) === 0;
  const reached = async () => (isToListen ? community.url !== '' : (await connections()) > 0);
  await waitUntil(reached, { withinMs: 60_000, what: 'a start', everyMs: 5 });
  await delay(draw(isToListen ? 1_000 : 300));
  const hasListened = community.url !== '';
  await community.kill();
  return hasListened;
};

it(
  'the community, killed at random moments, loses no action that was committed, and counts none twice',
  async () => {
    const draw = drawer();
    const crowd = await Crowd.gather(() => community.url, people, draw);
    const actions = Math.ceil(actionsPerRound / people) * people;
    const died = { atWork: 0, starting: 0, started: 0 };
    let interrupted = 0;
    while (died.atWork + died.starting + died.started < kills) {
      let isDone = false;
      const acting = crowd.act(actions / people).finally(() => (isDone = true));
      // Anywhere in the round but in its end, where it could be over before the kill.
      await crowd.hasDone(1 + draw(Math.floor(actions * 0.85)));
      await community.kill();
      expect(isDone).toBe(false);
      died.atWork += 1;
      interrupted += await waitingIn(postgres.client);
      // Half of them are followed by another, while what waits is handed over and people come back.
      if (died.atWork % 2 === 0 && died.atWork + died.starting + died.started < kills) {
        if (await dieRecovering(draw)) died.started += 1;
        else died.starting += 1;
      }
      community = await MortalCommunity.start(env);
      await acting;
    }
    const boards = await expectEveryBoard(postgres.client, community.url);
    await expectCleanAudit(env);
    const { rows } = await postgres.client.query<{ events: number }>('SELECT count(*)::int AS events FROM outbox');
    const { atWork, starting, started } = died;
    process.stdout.write(
      `seed ${seed}: ${kills} kills (${atWork} at work, ${starting} while it started, ${started} just after), ` +
        `${rows[0]?.events} events, ${interrupted} of them committed and not yet recorded at a kill; ${boards} boards\n`,
    );
  },
  240_000 + kills * 60_000,
);
