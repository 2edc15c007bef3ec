import { systemClock } from '@laurel/leaderboard';
import { type PostgresServer, startPostgres } from '@laurel/servers';
import { Client } from 'pg';
import { freshPrefix, testRedisUrl } from '../support/redis';
import { announceSeed, drawer, seed } from '../support/seed';
import { Caller } from './support/caller';
import { Crowd } from './support/crowd';
import { expectCleanAudit, expectEveryBoard } from './support/every-board';
import { MortalCommunity } from './support/mortal-community';
import { type PreviousVersion, previousCommit, unpackPreviousVersion } from './support/previous-version';

const key = 'the-key-of-the-tests';
/** A minute ago: today where it is midday. */
const startedMs = systemClock.now() - 60_000;

/** A rolling deployment, and its way back: the version before this one and this one on one Redis and one database. */
const unlessSkipped = previousCommit === null ? ' (skipped: git has no history here)' : '';
describe(`two versions side by side${unlessSkipped}`, () => {
  const it = previousCommit === null ? global.it.skip : global.it;
  let postgres: PostgresServer;
  let database: Client;
  let previous: PreviousVersion;
  let env: Record<string, string>;
  const running = new Set<MortalCommunity>();

  const start = async (folder?: string) => {
    const community = await MortalCommunity.start(env, folder);
    running.add(community);
    return community;
  };

  beforeAll(async () => {
    announceSeed();
    if (previousCommit === null) return;
    previous = unpackPreviousVersion(previousCommit);
    postgres = await startPostgres();
    database = new Client({ connectionString: postgres.url });
    await database.connect();
    env = {
      PORT: '0',
      REDIS_URL: testRedisUrl(),
      LAUREL_PREFIX: freshPrefix(),
      DATABASE_URL: postgres.url,
      LAUREL_API_KEY: key,
      // Nothing is refused for being late.
      LAUREL_MAX_LATE_MS: '60000',
    };
  });
  afterAll(async () => {
    await Promise.all([...running].map((community) => community.kill()));
    await database?.end();
    await postgres?.stop();
    previous?.remove();
  });

  /** What the database says, and what each version that runs reads. */
  const expectRightBoards = async () => {
    for (const { url } of running) await expectEveryBoard(database, url);
  };

  /** Sends events to one and the same ones, twice and in another order, to the other. */
  const recordEverywhere = async (urls: readonly string[], userId: string) => {
    const events = Array.from({ length: 40 }, (_, n) => ({
      userId,
      action: 'praise',
      subject: `article:${n % 20}`,
    })).map((event, n) => ({
      ...event,
      // Each is praised, and every second one taken back later.
      ...(n >= 20 && { revoke: n % 2 === 0 }),
      occurredAt: new Date(startedMs + n).toISOString(),
      sequence: n,
    }));
    for (const sent of [events, [...events].reverse()]) {
      for (const url of urls) {
        const caller = new Caller(url);
        const answer = await caller.ask('POST', '/activity/events', { token: key, body: { events: sent } });
        expect(answer?.status).toBe(200);
        caller.leave();
      }
    }
    // Ten stand, two points each, by every instance.
    const scores = await Promise.all(
      urls.map(async (url) => ((await (await fetch(`${url}/ranks/day/users/${userId}`)).json()) as Scored).entry.score),
    );
    expect(scores).toEqual(urls.map(() => 20));
  };
  interface Scored {
    readonly entry: { readonly score: number };
  }

  it('record and read what the other wrote, on the way there and on the way back', async () => {
    const before = await start(previous.folder);
    /** The instances that take requests now; they take them in turn. */
    let turn = 0;
    const address = () => {
      const all = [...running];
      return (all[(turn += 1) % all.length] as MortalCommunity).url;
    };
    const crowd = await Crowd.gather(address, 12, drawer());
    await crowd.act(5);
    await expectRightBoards();

    const now = await start();
    const acting = crowd.act(25);
    await recordEverywhere([before.url, now.url], 'service:there');
    await acting;
    await expectRightBoards();

    // The old one goes in the middle of the load, as abruptly as may be.
    const goingOn = crowd.act(10);
    await crowd.hasDone(12);
    running.delete(before);
    await before.kill();
    await goingOn;
    await expectRightBoards();

    const back = await start(previous.folder);
    const goingBack = crowd.act(15);
    await recordEverywhere([now.url, back.url], 'service:back');
    await goingBack;
    await expectRightBoards();

    const last = crowd.act(15);
    await crowd.hasDone(12);
    running.delete(now);
    now.signal('SIGTERM');
    expect(await now.exitCode()).toBe(0);
    await last;
    await expectRightBoards();
    await expectCleanAudit(env);
    const { rows } = await database.query<{ events: number }>('SELECT count(*)::int AS events FROM outbox');
    process.stdout.write(`seed ${seed}: ${rows[0]?.events} events through the outboxes of two versions\n`);
  });
});
