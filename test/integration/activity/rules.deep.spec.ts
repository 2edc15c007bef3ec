import { LedgerService, type LimitConfig, LiveRules, REDIS_CLIENT } from '@laurel/activity';
import type { RedisClient } from '@laurel/leaderboard';
import { redisOfTest } from '../../support/own-servers';
import { appsOfOnePrefix, inForce, praise, put, rulesWith, worth } from './support/rules-apps';
import { type TinyApp, waitUntil } from './support';

const start = appsOfOnePrefix();
describe('rules that are put in force', () => {
  it('are each put, however many at once: the time that Redis may take begins with their turn', async () => {
    const commandTimeoutMs = 3_000;
    const app = await start({ ...rulesWith(2), commandTimeoutMs });
    const client: { sendCommand(command: unknown): unknown } = app.nest.get<RedisClient>(REDIS_CLIENT);
    const send = client.sendCommand.bind(client);
    // Of 32 changes, each of two round trips and more, the last waits for longer than Redis may take for one.
    const slowMs = commandTimeoutMs / 32;
    const spy = jest.spyOn(client, 'sendCommand').mockImplementation(async (command) => {
      await new Promise((resolve) => setTimeout(resolve, slowMs));
      return send(command);
    });
    const answers = await Promise.all(Array.from({ length: 32 }, (_, i) => put(app, rulesWith(3 + i))));
    spy.mockRestore();
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await inForce(app)).revision).toBe(32);
  });

  it('judge each event wholly: whatever is recorded meanwhile has the points of the rules that it is remembered with', async () => {
    const [one, two] = [await start(), await start()];
    // What grants 2 points allows one a second; what grants 5 allows any number.
    const sparing: LimitConfig = { type: 'sliding', action: 'praise', max: 1, windowMs: 1_000, per: 'action' };
    const documents = [{ ...rulesWith(2), limits: [sparing] }, rulesWith(5)];
    const [few, many] = [(await put(one, documents[0])).body.version, (await put(one, documents[1])).body.version];
    const pointsOf = new Map([
      [few, 2],
      [many, 5],
    ]);
    await waitUntil(async () => (await inForce(two)).version === many);
    const users = Array.from({ length: 8 }, (_, i) => `user ${i}`);
    const batchesOf = new Set<string>();
    let isOver = false;
    let batches = 0;
    const recordBatches = async (app: TinyApp, userId: string) => {
      const { service } = app;
      while (!isOver) {
        const outcomes = await service.record(Array.from({ length: 5 }, () => praise(userId)));
        batches += 1;
        // One rule book judged all of a batch: a limit refuses the rest of the grants of 2, and none of 5.
        batchesOf.add(outcomes.map(({ outcome, points }) => `${outcome} ${points}`).join());
      }
    };
    const recording = users.map((user, i) => recordBatches(i % 2 ? one : two, user));
    const swaps = (async () => {
      for (let i = 0; i < 60; i++) {
        const before = batches;
        await put(i % 3 ? one : two, documents[i % 2]);
        await waitUntil(() => batches > before, { everyMs: 1 });
      }
    })().finally(() => (isOver = true));
    await Promise.all([swaps, ...recording]);
    const refused = Array.from({ length: 4 }, () => 'limited 0').join();
    const possible = [
      `granted 2,${refused}`,
      `limited 0,${refused}`,
      Array.from({ length: 5 }, () => 'granted 5').join(),
    ];
    expect([...batchesOf].filter((batch) => !possible.includes(batch))).toEqual([]);

    const seen = new Set<number | null>();
    const pages = one.nest.get(LedgerService);
    for (const user of users) {
      for (let cursor: string | undefined; ;) {
        const page = await pages.page(user, { limit: 200, ...(cursor !== undefined && { cursor }) });
        for (const { points, version } of page.lines) {
          seen.add(version);
          expect([version, points]).toEqual([version, pointsOf.get(version)]);
        }
        if (page.next === null) break;
        cursor = page.next;
      }
    }
    expect(seen).toEqual(new Set([few, many]));
  });
});

describe('without Redis', () => {
  /** Apps here wait for a Redis that is away. */
  const commandTimeoutMs = 900;

  it('the old rules stay and posting answers 503', async () => {
    const server = await redisOfTest();
    const { port, url } = server;
    const app = await start({ ...rulesWith(3), redis: { url }, commandTimeoutMs });
    await server.stop();
    await waitUntil(async () => (await put(app, rulesWith(5))).status === 503);
    const refused = await put(app, rulesWith(5));
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await inForce(app)).toMatchObject({ rules: [{ points: 3 }] });
    expect(await put(app, rulesWith(5), '?dryRun=true')).toMatchObject({ status: 200 });
    await redisOfTest({ port });
    await waitUntil(async () => (await put(app, rulesWith(6))).status === 200);
    expect(await worth(app)).toBe(6);
  });

  it('what was posted outlives a Redis that lost its data, for as long as the instance runs', async () => {
    const server = await redisOfTest();
    const { port, url } = server;
    const app = await start({ ...rulesWith(2), redis: { url }, commandTimeoutMs });
    await put(app, rulesWith(5));
    await put(app, rulesWith(7));
    await server.stop();
    await redisOfTest({ port });
    await waitUntil(async () => (await app.get('/ranks/day')).status === 200);
    expect(await worth(app)).toBe(7);
    const { lines } = await app.nest.get(LedgerService).page('ada');
    const versions = await app.nest.get(LedgerService).ruleVersions();
    const ofLine = versions.find(({ version }) => version === lines[0]?.version);
    expect(ofLine?.rules).toMatchObject([{ points: 7 }]);
    // It counts its revisions anew: the first of them is told from the one before.
    expect((await put(app, rulesWith(4))).body).toMatchObject({ revision: 1, rules: [{ points: 4 }] });
    expect(await worth(app)).toBe(4);
  });

  it('an app starts with its own, and takes what is in force when Redis comes', async () => {
    const server = await redisOfTest();
    const { port, url } = server;
    await server.stop();
    const app = await start({ ...rulesWith(2), redis: { url }, commandTimeoutMs });
    expect(await inForce(app)).toMatchObject({ version: null, revision: 0, rules: [{ points: 2 }] });
    await redisOfTest({ port });
    const other = await start({ ...rulesWith(2), redis: { url }, commandTimeoutMs });
    await put(other, rulesWith(5));
    await waitUntil(async () => (await inForce(app)).revision === 1);
    expect(app.nest.get(LiveRules).refused).toBeNull();
    expect(await worth(app)).toBe(5);
  });
});
