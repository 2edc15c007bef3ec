import { EventEmitter2 } from '@nestjs/event-emitter';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  ActivityService,
  defineLimit,
  LedgerService,
  METRICS_REGISTRY,
  LiveRules,
  type ActivityHistory,
  type LimitConfig,
  type Rule,
} from '@laurel/activity';
import type { RedisClient } from '@laurel/leaderboard';
import { Ledgers, REDIS_CLIENT } from '@laurel/activity/internals';
import { pollEveryMs } from '../../../libs/activity/src/live-rules/live-rules';
import { startRedis, type RedisServer } from '@laurel/servers';
import { ManualClock } from '../../support/clock';
import { freshPrefix } from '../../support/redis';
import { waitUntil } from '../../support/wait-until';
import type { ProblemBody } from './support/problem-body';
import { platforms, stopTinyApps, TinyApp, withKey } from './support/tiny-app';

interface Rules {
  readonly version: number | null;
  readonly revision: number;
  readonly since: string;
  readonly source: string;
  readonly rules: readonly Rule[];
  readonly limits: readonly LimitConfig[];
  readonly refused: { readonly source: string; readonly errors: readonly { readonly path: string }[] } | null;
  readonly changes?: readonly object[];
}

const rulesWith = (points: number, ...more: readonly Rule[]) => ({
  rules: [{ action: 'praise', points, revocable: true }, ...more],
});
const share: Rule = { action: 'share', points: 4, revocable: false };
const daily: LimitConfig = { type: 'daily', action: 'praise', max: 1 };

let folder: string;
let prefix: string;
beforeEach(async () => {
  prefix = freshPrefix();
  folder = await mkdtemp(join(tmpdir(), 'laurel-rules-test-'));
});
afterEach(async () => {
  await stopTinyApps();
  await rm(folder, { recursive: true });
});

const start = (options: object = rulesWith(2)) => TinyApp.start({ options: { prefix, ...options } });
const inForce = async (app: TinyApp) => (await app.get<Rules>('/activity/rules', withKey)).body;
const put = (app: TinyApp, document: unknown, query = '') =>
  app.post<Rules & ProblemBody>(`/activity/rules${query}`, document, withKey);
let subject = 0;
const praise = (userId = 'ada') => ({ userId, action: 'praise', subject: `article:${(subject += 1)}` });
const worth = async (app: TinyApp, event: object = praise()) => (await app.record(event)).body.results?.[0]?.points;

describe.each(platforms)('rules on %s', (platform) => {
  it('are for the API key alone', async () => {
    const app = await TinyApp.start({ platform });
    for (const method of ['GET', 'POST', 'DELETE']) {
      expect(await app.send('/activity/rules', { method })).toMatchObject({ status: 401 });
    }
    expect(await app.get('/activity/rules', { authorization: 'Bearer wrong' })).toMatchObject({ status: 403 });
  });

  it('are told, replaced, and withdrawn', async () => {
    const app = await TinyApp.start({ platform, options: { prefix, ...rulesWith(2) } });
    const first = await inForce(app);
    expect(first).toMatchObject({ version: 1, revision: 0, source: 'options', limits: [], refused: null });
    expect(first.rules).toEqual([
      { action: 'praise', points: 2, revocable: true, days: 1, ownSubject: 'count', grants: [], code: 'praise' },
    ]);
    const document = { ...rulesWith(5, share), limits: [{ ...daily, max: 2 }] };
    const { status, body } = await put(app, document);
    expect(status).toBe(200);
    expect(body).toMatchObject({ version: 2, revision: 1, source: 'posted', limits: [{ max: 2 }] });
    expect(body.changes).toMatchObject([
      { kind: 'rule', name: 'praise', before: { points: 2 }, after: { points: 5 } },
      { kind: 'rule', name: 'share', before: null, after: { points: 4 } },
      { kind: 'limit', name: 'praise-daily', before: null, after: { max: 2 } },
    ]);
    const told = await inForce(app);
    expect(told).toMatchObject({ version: 2, revision: 1, since: body.since, rules: body.rules });
    expect(await worth(app, { userId: 'ada', action: 'share', subject: '1' })).toBe(4);

    const withdrawn = await app.send<Rules>('/activity/rules', { method: 'DELETE', headers: withKey });
    expect(withdrawn.body).toMatchObject({ version: 1, revision: 2, source: 'options', rules: [{ points: 2 }] });
    expect((await app.record({ userId: 'ada', action: 'share', subject: '2' })).status).toBe(400);
  });

  it('are put only where those are in force that the caller has read, if the caller says which', async () => {
    const app = await TinyApp.start({ platform, options: { prefix, ...rulesWith(2) } });
    const read = async () => (await app.get('/activity/rules', withKey)).headers.get('etag') ?? '';
    const post = (points: number, headers: Record<string, string>, query = '') =>
      app.send<Rules & ProblemBody>(`/activity/rules${query}`, {
        method: 'POST',
        headers: { ...withKey, 'content-type': 'application/json', ...headers },
        body: JSON.stringify(rulesWith(points)),
      });
    const first = await read();
    expect(first).toBe('"0"');
    const [ada, bob] = await Promise.all([post(3, { 'if-match': first }), post(4, { 'if-match': first })]);
    expect([ada.status, bob.status].sort()).toEqual([200, 412]);
    const won = ada.status === 200 ? 3 : 4;
    const lost = ada.status === 200 ? bob : ada;
    expect(lost.body).toMatchObject({ type: 'urn:laurel:problem:rulesChanged', status: 412 });
    expect(await inForce(app)).toMatchObject({ revision: 1, rules: [{ points: won }] });
    // What is in force already may be put again: the answer may have been lost.
    expect(await post(won, { 'if-match': first })).toMatchObject({ status: 200, body: { revision: 1 } });
    expect((await post(7, { 'if-match': first }, '?dryRun=true')).status).toBe(412);
    expect((await post(7, { 'if-match': '"1"' }, '?dryRun=true')).status).toBe(200);
    for (const header of ['W/"1"', '*']) expect((await post(5, { 'if-match': header })).status).toBe(200);
    expect((await post(6, { 'if-match': 'one' })).status).toBe(400);
    const withdraw = (tag: string) =>
      app.send('/activity/rules', { method: 'DELETE', headers: { ...withKey, 'if-match': tag } });
    expect((await withdraw('"1"')).status).toBe(412);
    expect((await withdraw(await read())).status).toBe(200);
  });

  it('are refused with each fault by its path, and the old ones stay', async () => {
    const app = await TinyApp.start({ platform, options: { prefix, ...rulesWith(2) } });
    const bad = {
      rules: [{ action: 'praise', points: 0.5, revocable: 1 }],
      limits: [{ type: 'daily', action: 'x', max: 1 }],
    };
    const refused = await put(app, bad);
    expect(refused).toMatchObject({ status: 400, body: { type: 'urn:laurel:problem:invalidRules' } });
    expect(refused.headers.get('content-type')).toContain('application/problem+json');
    expect(refused.body.errors).toEqual([
      { path: 'rules.0.points', message: 'is 0.5: use a whole number from -1000000 to 1000000.' },
      { path: 'rules.0.revocable', message: 'is 1: use true or false.' },
      { path: 'limits.0.action', message: 'is "x": use one of "praise".' },
    ]);
    for (const body of ['', '[]', 'null', '7', '{}', '{"rules":{}}', '{"rules":[null]}', '{', '{"__proto__":[]}']) {
      expect([body, (await put(app, body)).status]).toEqual([body, 400]);
    }
    expect(await put(app, rulesWith(5), '?dryRun=maybe')).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'dryRun' }] },
    });
    expect(await inForce(app)).toMatchObject({ version: 1, revision: 0 });
    expect(await worth(app)).toBe(2);
  });

  it('are checked by a dry run, which tells what would change', async () => {
    const app = await TinyApp.start({ platform, options: { prefix, ...rulesWith(2) } });
    const { status, body } = await put(app, rulesWith(5), '?dryRun=true');
    expect([status, body]).toMatchObject([
      200,
      { dryRun: true, revision: 0, rules: [{ points: 2 }], changes: [{ name: 'praise' }] },
    ]);
    expect(await put(app, rulesWith(0.5), '?dryRun=true')).toMatchObject({ status: 400 });
    expect((await put(app, rulesWith(2), '?dryRun=true')).body.changes).toEqual([]);
    expect(await worth(app)).toBe(2);
  });
});

describe('rules that are put in force', () => {
  it('reach every instance by themselves, and override those of an instance that starts later', async () => {
    // Three seconds are promised; a busy machine may take longer to ask.
    expect(pollEveryMs).toBeLessThanOrEqual(2_000);
    const [one, two] = [await start(), await start()];
    await put(one, { ...rulesWith(5), limits: [daily] });
    await waitUntil(async () => (await inForce(two)).revision === 1);
    expect(await inForce(two)).toMatchObject({ version: 2, source: 'posted', limits: [{ name: 'praise-daily' }] });
    expect(await worth(two)).toBe(5);
    const later = await start(rulesWith(3));
    expect(await inForce(later)).toMatchObject({ revision: 1, source: 'posted' });
    expect(await worth(later, praise('bob'))).toBe(5);
    expect((await later.record(praise('bob'))).body.results).toMatchObject([{ outcome: 'limited' }]);
  });

  it('keep their revision and version when they are put again, and get the next when they differ', async () => {
    const app = await start();
    const revisions: unknown[] = [];
    for (const points of [5, 5, 7, 5]) {
      const { revision, version } = (await put(app, rulesWith(points))).body;
      revisions.push([revision, version]);
    }
    expect(revisions).toEqual([
      [1, 2],
      [1, 2],
      [2, 3],
      [3, 2],
    ]);
  });

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

  it('have a version of their own where only limits differ', async () => {
    const app = await start();
    const { version } = (await put(app, { ...rulesWith(2), limits: [daily] })).body;
    expect(version).toBe(2);
    const versions = await app.nest.get(LedgerService).ruleVersions();
    expect(versions.map(({ version: number, limits }) => [number, limits.length])).toEqual([
      [1, 0],
      [2, 1],
    ]);
  });

  it("may have limits of the app's own types, where the app has those", async () => {
    const never = defineLimit<{ readonly why: string }>({
      type: 'never',
      lua: { check: 'return false' },
      fields: ['why'],
      check: ({ why }, refuse) => (typeof why === 'string' ? { why } : refuse('why', 'use a text')),
      prepare: () => ({ keys: [], args: [] }),
    });
    const [app, without] = [await start({ ...rulesWith(2), limitTypes: [never] }), await start()];
    const withLimit = (why: unknown) => ({ ...rulesWith(2), limits: [{ type: 'never', action: 'praise', why }] });
    expect((await put(app, withLimit(7))).body.errors).toEqual([
      { path: 'limits.0.why', message: 'is 7: use a text.' },
    ]);
    const { body } = await put(app, withLimit('holidays'));
    const limit = { type: 'never', action: 'praise', why: 'holidays', name: 'praise-never' };
    expect(body).toMatchObject({ limits: [limit], changes: [{ before: null, after: limit }] });
    expect((await app.record(praise())).body.results).toMatchObject([
      { outcome: 'limited', refusal: { limit: 'praise-never', allowedAgainAt: null } },
    ]);
    await waitUntil(async () => (await inForce(without)).refused);
    expect((await inForce(without)).refused?.errors).toMatchObject([{ path: 'limits.0.type' }]);
  });

  it('hold in every ledger, each by its own version', async () => {
    const leaderboards = [
      { name: 'day', period: 'day' },
      { name: 'dear', period: 'day', points: { praise: 50 } },
    ];
    const app = await start({ ...rulesWith(2, share), leaderboards });
    const before = { ...praise(), subject: 'before' };
    await app.record(before);
    await put(app, rulesWith(5, { ...share, points: 6 }));
    await app.record(praise(), { userId: 'ada', action: 'share', subject: '1' }, { ...before, revoke: true });
    const { lines } = await app.nest.get(LedgerService).page('ada');
    const told = lines.map(({ points, version, boards }) => [points, version, boards.day?.points, boards.dear?.points]);
    expect(told).toEqual([
      [0, null, undefined, undefined],
      [5, 2, 5, 50],
      [6, 2, 6, 6],
    ]);
    const dear = app.nest.get(Ledgers).boards('dear').ledger;
    const [today] = await dear.history.days('ada', dear.periods.of('dear'), dear.periods.of('dear'));
    expect(today?.fields.map(({ points, version }) => [points, version])).toEqual(
      expect.arrayContaining([
        [0, null],
        [50, 2],
        [6, 2],
      ]),
    );
  });

  it('must keep what leaderboards count and what ledgers call actions', async () => {
    const options = {
      leaderboards: [
        { name: 'day', period: 'day' },
        { name: 'shared', period: 'day', actions: ['share'] },
      ],
    };
    const app = await start({ ...rulesWith(2, share), ...options });
    expect((await put(app, rulesWith(2))).body.errors).toEqual([
      { path: 'rules', message: 'leave out "share": the leaderboard "shared" counts it; keep a rule for it.' },
    ]);
    const swapped = {
      rules: [
        { action: 'praise', points: 2, revocable: true, code: 'p' },
        { action: 'tell', points: 1, revocable: true, code: 'share' },
        { ...share, code: 's' },
      ],
    };
    expect((await put(app, swapped)).body.errors?.map(({ path }) => path)).toEqual([
      'rules.0.code',
      'rules.1.code',
      'rules.2.code',
    ]);
    expect((await inForce(app)).revision).toBe(0);
  });

  it('must not call an action as ledgers that live called another, nor otherwise than they did', async () => {
    const clock = new ManualClock('2036-11-20T08:00:00Z');
    const app = await start({ ...rulesWith(2), clock });
    const tell: Rule = { action: 'tell', points: 4, revocable: true, code: 'share' };
    const message = 'is "share": ledgers call "share" so; use another.';
    await put(app, rulesWith(2, share));
    await put(app, rulesWith(2));
    expect((await put(app, rulesWith(2, tell))).body.errors).toEqual([{ path: 'rules.1.code', message }]);
    expect((await put(app, rulesWith(2, tell), '?dryRun=true')).status).toBe(400);
    const renamed = await put(app, rulesWith(2, { ...share, code: 's' }));
    expect(renamed.body.errors?.[0]?.message).toBe('is "s": ledgers call "share" by "share"; keep it.');
    expect((await put(app, rulesWith(2, share))).status).toBe(200);

    // One that starts so says it; and nobody goes back to its rules.
    const lines: string[] = [];
    const logger = { log: () => undefined, warn: () => undefined, error: (line: string) => void lines.push(line) };
    await put(app, rulesWith(3));
    const other = await start({ ...rulesWith(2, tell), clock });
    const withdrawn = await other.send<ProblemBody>('/activity/rules', { method: 'DELETE', headers: withKey });
    expect(withdrawn).toMatchObject({ status: 400, body: { errors: [{ message }] } });
    await app.send('/activity/rules', { method: 'DELETE', headers: withKey });
    await TinyApp.start({
      options: { prefix, ...rulesWith(2, tell), clock },
      configure: (nest) => nest.useLogger(logger),
    });
    expect(lines).toEqual([expect.stringContaining(message)]);

    // When their ledgers are gone the code is free.
    clock.advance(40 * 86_400_000);
    expect((await put(app, rulesWith(5, { ...tell, points: 7 }))).status).toBe(200);
  });

  it('that an instance cannot take leave it as it is, and it says so', async () => {
    const one = await start();
    const other = await start({
      ...rulesWith(2, share),
      leaderboards: [{ name: 'day', period: 'day', actions: ['share', 'praise'] }],
    });
    await put(one, rulesWith(5));
    const { refused } = await waitUntil(async () => {
      const told = await inForce(other);
      return told.refused && told;
    });
    expect(refused).toMatchObject({ source: 'posted', errors: [{ path: 'rules' }] });
    expect(await worth(other)).toBe(2);
    const registry = other.nest.get<{ metrics(): Promise<string> }>(METRICS_REGISTRY);
    expect(await registry.metrics()).toContain('laurel_rules_refused_total{source="posted"} 1');
    await put(one, rulesWith(5, share));
    await waitUntil(async () => (await inForce(other)).refused === null);
    expect(await worth(other)).toBe(5);
    expect(await registry.metrics()).toContain('laurel_rules_revision 2');
  });

  it('decide which events are listened to', async () => {
    const app = await start(rulesWith(2, share));
    const emitter = app.nest.get(EventEmitter2);
    const points = async () =>
      (await app.get<ActivityHistory>('/activity/users/ada', withKey)).body.days.map((day) => day.points);
    await put(app, {
      rules: [
        { action: 'praise', points: 2, revocable: true },
        { action: 'tell', points: 7, revocable: true },
      ],
    });
    await emitter.emitAsync('activity.tell', { userId: 'ada', subject: '1' });
    await emitter.emitAsync('activity.share', { userId: 'ada', subject: '1' });
    await emitter.emitAsync('activity.praise', { userId: 'ada', subject: '1' });
    await emitter.emitAsync('activity.tell', { userId: 'ada', subject: '2' });
    await emitter.emitAsync('activity.tell.cancelled', { userId: 'ada', subject: '2' });
    expect(await points()).toEqual([9]);
    expect(emitter.listenerCount('activity.share')).toBe(0);
    expect(emitter.listenerCount('activity.praise')).toBe(1);
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
      const service = app.nest.get(ActivityService);
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
  let server: RedisServer;
  afterEach(() => server.stop());

  it('the old rules stay and posting answers 503; a file that changed meanwhile is in force when Redis is back', async () => {
    server = await startRedis();
    const { port, url } = server;
    const path = join(folder, 'rules.json');
    await writeFile(path, JSON.stringify(rulesWith(3)));
    const app = await start({ rulesFile: path, redis: { url } });
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
    const app = await start({ ...rulesWith(2), redis: { url } });
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
    const app = await start({ ...rulesWith(2), redis: { url } });
    expect(await inForce(app)).toMatchObject({ version: null, revision: 0, rules: [{ points: 2 }] });
    server = await startRedis({ port });
    const other = await start({ ...rulesWith(2), redis: { url } });
    await put(other, rulesWith(5));
    await waitUntil(async () => (await inForce(app)).revision === 1);
    expect(app.nest.get(LiveRules).refused).toBeNull();
    expect(await worth(app)).toBe(5);
  });
});
