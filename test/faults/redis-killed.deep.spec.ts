import { setTimeout as delay } from 'node:timers/promises';
import { ownRedis } from '../support/own-servers';
import { runCli } from '../support/run-cli';
import { drawer, seed } from '../support/seed';
import { temporaryFolder } from '../support/temporary-folder';
import { waitUntil } from '../support/wait-until';
import { AppendOnlyFile } from './support/append-only-file';
import { Crowd } from './support/crowd';
import { MortalCommunity } from './support/mortal-community';
import { pointsInDatabase, pointsOnBoard, waitingIn } from './support/truth';
import { sampled } from '../support/sampled';
import { ownPostgres } from '../support/postgres';

/** The long run: `LAUREL_TEST_REDIS_KILLS=20 LAUREL_TEST_ACTIONS=2000`. */
const rounds = Number(process.env.LAUREL_TEST_REDIS_KILLS ?? sampled({ sample: 1, full: 5 }));
const actionsPerRound = Number(process.env.LAUREL_TEST_ACTIONS ?? 640);
const people = 16;

/** What a machine that goes down loses of the append-only file, at least: enough that some of it was acknowledged. */
const unsyncedBytes = 80_000;

/** What Redis is left with when it has been killed. */
const keepings = ['nothing', 'its append-only file', 'its append-only file without the end'] as const;

describe.each(keepings)('a Redis killed in the middle of the load, left with %s', (keeping) => {
  const dataDir = temporaryFolder();
  let community: MortalCommunity;
  afterAll(() => community.stop());
  const [redis, postgres] = [ownRedis(keeping === 'nothing' ? {} : { dataDir }), ownPostgres()];
  let servers: Record<string, string>;

  beforeAll(async () => {
    servers = { REDIS_URL: redis.servers.url, DATABASE_URL: postgres.servers.url };
    community = await MortalCommunity.start({ PORT: '0', ...servers });
  });

  const replay = async () => {
    const { exitCode, out, err } = await runCli(['replay', '--since', '2020-01-01T00:00:00Z', '--json'], {
      env: servers,
    });
    expect([exitCode, err]).toEqual([0, expect.stringMatching(/^Replaying: /)]);
    return JSON.parse(out) as { activities: number; points: number; outcomes: Record<string, number> };
  };
  const verify = async () => {
    const { exitCode, out, err } = await runCli(['verify', '--json'], { env: servers });
    const lines = out.trimEnd().split('\n');
    return { exitCode, ...(exitCode > 0 && { err }), differences: lines.slice(0, -1), summary: lines.at(-1) };
  };
  const events = async () => {
    const { rows } = await postgres.client.query<{ events: number }>('SELECT count(*)::int AS events FROM outbox');
    return rows[0]?.events ?? 0;
  };
  const boards = async () => {
    await waitUntil(async () => (await waitingIn(postgres.client)) === 0, { withinMs: 60_000 });
    const [truth, board] = [await pointsInDatabase(postgres.client), await pointsOnBoard(community.url)];
    return { truth: new Map([...truth].sort()), board: new Map([...board].sort()) };
  };
  const killRedis = async () => {
    if (keeping !== 'its append-only file without the end') return redis.servers.kill();
    const file = new AppendOnlyFile(dataDir);
    const synced = await file.size();
    await waitUntil(async () => (await file.size()) > synced + unsyncedBytes, { what: 'more in the append-only file' });
    await redis.servers.kill();
    await file.cutAt(synced);
  };

  it(
    'is healed by a replay while the app runs and people go on',
    async () => {
      const draw = drawer();
      const crowd = await Crowd.gather(() => community.url, people, draw);
      let givenAgain = 0;
      for (let round = 0; round < rounds; round += 1) {
        let isDone = false;
        const atEvents = (await events()) + Math.ceil(actionsPerRound / 8) + draw(Math.ceil(actionsPerRound / 8));
        const acting = crowd.act(Math.ceil(actionsPerRound / people)).finally(() => (isDone = true));
        await waitUntil(async () => (await events()) >= atEvents, { withinMs: 60_000, what: 'the load' });
        await killRedis();
        expect(isDone).toBe(false);
        await delay(draw(300));
        await redis.servers.restart();
        // Where all is lost, commands find nothing until the app is back and has stored how its data is made.
        await waitUntil(async () => (await fetch(`${community.url}/health/ready`)).ok, {
          what: 'the app with its Redis',
        });
        // Whatever is lost, no board has other points than its ledgers; not while people go on, either.
        expect(await verify()).toEqual({ exitCode: 0, differences: [], summary: expect.any(String) });
        await acting;
        const before = await boards();
        // What was acknowledged is gone: this test would not know a Redis that remembers.
        if (keeping !== 'its append-only file') expect(before.board).not.toEqual(before.truth);

        const goingOn = crowd.act(10);
        const { outcomes } = await replay();
        givenAgain += (outcomes.granted ?? 0) + (outcomes.revoked ?? 0);
        await goingOn;
        const after = await boards();
        expect(after.board).toEqual(after.truth);
        const summary = expect.stringMatching(/"entries":[1-9]/) as string;
        expect(await verify()).toEqual({ exitCode: 0, differences: [], summary });
      }
      process.stdout.write(
        `seed ${seed}: Redis left with ${keeping}, ${rounds} kills, ${await events()} events, ${givenAgain} given again by replays\n`,
      );
    },
    240_000 + rounds * 60_000,
  );

  it('is changed by no further replay', async () => {
    const { activities, points, outcomes } = await replay();
    expect(activities).toBe(await events());
    expect([points, outcomes.granted, outcomes.revoked]).toEqual([0, 0, 0]);
    const { truth, board } = await boards();
    expect(board).toEqual(truth);
  });
});
