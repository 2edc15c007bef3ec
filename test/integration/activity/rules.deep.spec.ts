import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LedgerService, type LimitConfig, LiveRules, REDIS_CLIENT } from '@laurel/activity';
import type { RedisClient } from '@laurel/leaderboard';
import { startRedis, type RedisServer } from '@laurel/servers';
import { waitUntil } from '../../support/wait-until';
import { appsOfOnePrefix, inForce, praise, put, rulesWith, worth } from './support/rules-apps';
import { stopTinyApps, type TinyApp } from './support/tiny-app';

const daily: LimitConfig = { type: 'daily', action: 'praise', max: 1 };

let folder: string;
const start = appsOfOnePrefix();
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'laurel-rules-test-'));
});
afterEach(async () => {
  await stopTinyApps();
  await rm(folder, { recursive: true });
});

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

describe('a file of rules', () => {
  let path: string;
  beforeEach(() => {
    path = join(folder, 'rules.json');
  });
  const write = (document: unknown) =>
    writeFile(path, typeof document === 'string' ? document : JSON.stringify(document));
  /** As editors and deployments do: the new file takes the old one's name. */
  const replace = async (document: unknown) => {
    await writeFile(`${path}.new`, JSON.stringify(document));
    await rename(`${path}.new`, path);
  };
  const startFromFile = () => start({ rulesFile: path });

  it('is in force from the start, and each time that it changes, on every instance', async () => {
    await write({ ...rulesWith(3), limits: [{ ...daily, max: 100 }] });
    const [one, two] = [await startFromFile(), await startFromFile()];
    expect(await inForce(one)).toMatchObject({
      version: 1,
      source: 'file',
      rules: [{ points: 3 }],
      limits: [{ max: 100 }],
    });
    expect(await worth(one)).toBe(3);
    const elsewhere = await start();
    for (const [change, points] of [
      [replace, 5],
      [write, 7],
      [replace, 3],
    ] as const) {
      await change(rulesWith(points));
      for (const app of [one, two, elsewhere]) {
        await waitUntil(async () => (await inForce(app)).rules[0]?.points === points);
      }
      expect(await worth(two)).toBe(points);
    }
    const { revision } = await inForce(one);
    expect(revision).toBe(4);
    expect(await inForce(two)).toMatchObject({ revision, source: 'file' });
  });

  it('that is bad, or gone, changes nothing; the next good one is taken', async () => {
    await write(rulesWith(3));
    const app = await startFromFile();
    for (const bad of ['{"rules": [', JSON.stringify(rulesWith(0.5)), '']) {
      await write(bad);
      await waitUntil(async () => (await inForce(app)).refused);
      expect(await worth(app)).toBe(3);
      await replace(rulesWith(4));
      await waitUntil(async () => (await inForce(app)).rules[0]?.points === 4);
      await replace(rulesWith(3));
      await waitUntil(async () => (await inForce(app)).rules[0]?.points === 3);
      expect((await inForce(app)).refused).toBeNull();
    }
    await rm(path);
    await replace(rulesWith(6));
    await waitUntil(async () => (await inForce(app)).rules[0]?.points === 6);
  });

  it('gives way to what is posted after it, across restarts, until it changes', async () => {
    await write(rulesWith(3));
    const app = await startFromFile();
    await put(app, rulesWith(8));
    const restarted = await startFromFile();
    expect(await inForce(restarted)).toMatchObject({ source: 'posted', rules: [{ points: 8 }] });
    await app.nest.close();
    await restarted.nest.close();
    await replace(rulesWith(9));
    const changed = await startFromFile();
    expect(await inForce(changed)).toMatchObject({ source: 'file', rules: [{ points: 9 }] });
    expect(await worth(changed)).toBe(9);
  });

  it('gives way to that of an instance that runs, when the last one that had it is gone', async () => {
    const other = join(folder, 'other.json');
    await write(rulesWith(3));
    await writeFile(other, JSON.stringify(rulesWith(5)));
    const before = await startFromFile();
    const after = await start({ rulesFile: other });
    expect(await worth(after)).toBe(5);
    await before.nest.close();
    const restarted = await startFromFile();
    await waitUntil(async () => (await inForce(after)).rules[0]?.points === 3);
    await restarted.nest.close();
    await waitUntil(async () => (await inForce(after)).rules[0]?.points === 5, { withinMs: 60_000 });
  });

  it('ends the start where it is bad, cannot be read, or rules are given beside it', async () => {
    await write(rulesWith(0.5));
    await expect(startFromFile()).rejects.toMatchObject({
      code: 'invalidOption',
      message: `${path}: rules[0].points is 0.5: use a whole number from -1000000 to 1000000.`,
    });
    await rm(path);
    await expect(startFromFile()).rejects.toThrow(`rulesFile is ${JSON.stringify(path)}: it cannot be read (ENOENT).`);
    await expect(start({ rulesFile: path, ...rulesWith(1) })).rejects.toThrow('keep one of the two');
  });
});

describe('without Redis', () => {
  /** Apps here wait for a Redis that is away. */
  const commandTimeoutMs = 900;
  let server: RedisServer;
  afterEach(() => server.stop());

  it('the old rules stay and posting answers 503; a file that changed meanwhile is in force when Redis is back', async () => {
    server = await startRedis();
    const { port, url } = server;
    const path = join(folder, 'rules.json');
    await writeFile(path, JSON.stringify(rulesWith(3)));
    const app = await start({ rulesFile: path, redis: { url }, commandTimeoutMs });
    await server.stop();
    await waitUntil(async () => (await put(app, rulesWith(5))).status === 503);
    const refused = await put(app, rulesWith(5));
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await inForce(app)).toMatchObject({ rules: [{ points: 3 }] });
    expect(await put(app, rulesWith(5), '?dryRun=true')).toMatchObject({ status: 200 });
    await writeFile(path, JSON.stringify(rulesWith(6)));
    server = await startRedis({ port });
    await waitUntil(async () => (await inForce(app)).rules[0]?.points === 6);
    expect(await worth(app)).toBe(6);
  });

  it('what was posted outlives a Redis that lost its data, for as long as the instance runs', async () => {
    server = await startRedis();
    const { port, url } = server;
    const app = await start({ ...rulesWith(2), redis: { url }, commandTimeoutMs });
    await put(app, rulesWith(5));
    await put(app, rulesWith(7));
    await server.stop();
    server = await startRedis({ port });
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
    server = await startRedis();
    const { port, url } = server;
    await server.stop();
    const app = await start({ ...rulesWith(2), redis: { url }, commandTimeoutMs });
    expect(await inForce(app)).toMatchObject({ version: null, revision: 0, rules: [{ points: 2 }] });
    server = await startRedis({ port });
    const other = await start({ ...rulesWith(2), redis: { url }, commandTimeoutMs });
    await put(other, rulesWith(5));
    await waitUntil(async () => (await inForce(app)).revision === 1);
    expect(app.nest.get(LiveRules).refused).toBeNull();
    expect(await worth(app)).toBe(5);
  });
});
