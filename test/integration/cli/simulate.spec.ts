import { Period, systemClock, type RedisClient } from '@laurel/leaderboard';
import { type Activity, ActivityService, Exclusions, REDIS_CLIENT, type Rule } from '@laurel/activity';
import { parseRules } from '@laurel/activity/internals';
import { RuleSimulation, type Simulation } from '@laurel/reports';
import { withBetween } from '../../support/between-trips';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { testRedis } from '../../support/redis';
import { commands } from '../../support/run-cli';
import { temporaryFolder } from '../../support/temporary-folder';
import { allBoard, dayMs, ManualClock, monthBoard, TinyApp, withKey } from '../activity/support';

const rules = (points: Readonly<Record<string, number>>): readonly Rule[] =>
  Object.entries(points).map(([action, worth]) => ({ action, points: worth, revocable: true }));

describe('laurel simulate', () => {
  const shards = 3;
  const folder = temporaryFolder();
  const cli = commands(['simulate'], { LAUREL_SHARDS: `${shards}` });
  const { run } = cli;
  const simulate = cli.json<Simulation>;

  const file = async (content: unknown, name = 'new.json'): Promise<string> => {
    const path = join(folder, name);
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  };
  /** The CLI goes by the machine's clock: what it is to find happens a moment before now. */
  const today = Period.of('day', new Date(systemClock.now()), 'UTC');
  const nowMs = Math.max(systemClock.now() - 60_000, today.start.getTime());
  const record = async (activities: readonly (Activity & { readonly revoke?: boolean })[]) => {
    const app = await TinyApp.start({ options: { prefix: cli.prefix, shards } });
    await app.nest.get(ActivityService).apply(activities);
    return app;
  };
  const act = (userId: string, action: string, count: number, at = nowMs): Activity[] =>
    Array.from({ length: count }, (_, i) => ({ userId, action, subject: `${i}`, occurredAt: new Date(at) }));

  it('prints the places then beside the places now', async () => {
    // Reading is worth 1 and praising 2 now.
    await record([...act('reader', 'view', 10), ...act('fan', 'praise', 4), ...act('guest', 'view', 3)]);
    const path = await file(rules({ view: 1, praise: 5 }));
    const { exitCode, out, err } = await run(['--rules', path, '--period', today.key, '--leaderboard', 'day']);
    expect(exitCode).toBe(0);
    expect(out).toBe(
      [
        `day ${today.key}: 3 users, 21 points now, 33 then`,
        '',
        '  then  now  change  points then  points now  user',
        '     1    2      +1           20           8  fan',
        '     2    1      −1           10          10  reader',
        '     3    3       =            3           3  guest',
        '',
      ].join('\n'),
    );
    expect(err).toContain('Simulating: 3 of 3\n');
    const twoOnly = await simulate(['--rules', path, '--period', today.key.slice(0, 7), '--top', '1']);
    expect(twoOnly).toMatchObject({ leaderboard: 'month', users: 3, pointsThen: 33, uneven: 0 });
    expect(twoOnly.top.map(({ userId }) => userId)).toEqual(['fan']);
  });

  it('calls nobody uneven for an activity that comes while it reads, at whichever step, and whose board is wrong', async () => {
    const app = await record([...act('ada', 'view', 3), ...act('bob', 'view', 2)]);
    const client = app.nest.get<RedisClient>(REDIS_CLIENT);
    const rule = { rules: parseRules(JSON.stringify(rules({ view: 1 }))).rules, period: today.key, top: 10 };
    let trips = 0;
    for (let trip = 1, isDone = true; isDone; trip++) {
      isDone = false;
      const work = async () => {
        isDone = true;
        await app.nest.get(ActivityService).apply([{ ...(act('ada', 'view', 1)[0] as Activity), subject: `t${trip}` }]);
      };
      const simulation = () => app.nest.get(RuleSimulation).run(rule);
      expect(await withBetween(client, { trip, work }, simulation)).toMatchObject({ uneven: 0 });
      if (isDone) trips = trip;
    }
    expect(trips).toBeGreaterThan(1);
    const redis = testRedis();
    const [board = ''] = (await redis.keys(`{${cli.prefix}:*}:board:day:*`)).sort();
    const [member = ''] = await redis.zrange(board, '0', '0');
    await redis.zincrby(board, 2 ** 33, member);
    expect(await app.nest.get(RuleSimulation).run(rule)).toMatchObject({ uneven: 1 });
  });

  it('finds users who are not among the standings, a leader too, and nobody who is kept off them', async () => {
    const now = [...rules({ praise: 2 }), { action: 'seen', points: 0, revocable: true }];
    const { nest, service } = await TinyApp.start({ options: { prefix: cli.prefix, shards, rules: now } });
    await service.record([...act('bob', 'praise', 1), ...act('ann', 'seen', 9), ...act('eve', 'seen', 20)]);
    await nest.get(Exclusions).exclude('eve', { reason: 'banned' });
    const asked = { rules: parseRules(JSON.stringify(rules({ praise: 2, seen: 1 }))).rules, period: today.key, top: 9 };
    expect(await nest.get(RuleSimulation).run(asked)).toMatchObject({
      ...{ users: 2, pointsNow: 2, pointsThen: 11, uneven: 0 },
      top: [
        { userId: 'ann', points: 9, rankNow: null, pointsNow: 0 },
        { userId: 'bob', points: 2, rankNow: 1, pointsNow: 2 },
      ],
    });
    const { out } = await run(['--rules', await file(rules({ praise: 2, seen: 1 })), '--period', today.key]);
    expect(out).toMatch(/^ +1 +– +new +9 +0 {2}ann$/m);
  });

  it('counts what stands, changes nothing, and says what the file leaves out', async () => {
    const app = await record([
      ...act('ada', 'praise', 3),
      { userId: 'ada', action: 'praise', subject: '0', revoke: true, occurredAt: new Date(nowMs + 1) },
      ...act('ada', 'follow', 1),
      ...act('bob', 'follow', 2),
    ]);
    const redis = testRedis();
    const keys = await redis.keys(`{${cli.prefix}:*`);
    const dumps = () => Promise.all(keys.map((key) => redis.dumpBuffer(key)));
    const before = await dumps();
    expect(before.length).toBeGreaterThan(2);
    const { out, err } = await run(['--rules', await file(rules({ praise: 7 })), '--period', today.key, '--json']);
    expect(JSON.parse(out)).toMatchObject({
      leaderboard: 'day',
      users: 2,
      pointsNow: 10,
      pointsThen: 14,
      // Nobody leads with nothing.
      top: [{ userId: 'ada', points: 14, rankNow: 1, pointsNow: 6 }],
      worthless: ['follow'],
    });
    expect(err).toContain('Not in the file, so worth nothing: follow.');
    expect(await dumps()).toEqual(before);
    await app.nest.close();
  });

  it('shows what revalue puts in force of posted rules on open boards, for owners and under limits, once', async () => {
    const praise = { action: 'praise', points: 2, revocable: true, once: 'ever' };
    const now = [{ ...praise, grants: [{ to: 'owner', points: 1 }] }, ...rules({ view: 1, follow: 1 })] as Rule[];
    const app = await TinyApp.start({ options: { prefix: cli.prefix, shards, rules: now, latenessMs: 3 * dayMs } });
    const praises = act('bob', 'praise', 4).map((one) => ({ ...one, ownerId: 'cid' }));
    const dayBefore = Period.of('day', new Date(nowMs - dayMs), 'UTC');
    const before = ['view', 'follow'].flatMap((action, i) => act('ann', action, 5 - 4 * i, nowMs - dayMs));
    await app.service.record([...before, ...act('ann', 'view', 10), ...act('ann', 'follow', 3), ...praises]);
    const then = [
      { action: 'view', points: 3, revocable: true, during: [{ until: new Date(nowMs).toISOString(), points: 1 }] },
      { ...praise, points: 5, grants: [{ to: 'owner', points: 4 }] },
      // How often it counts stays as it was: each day by itself.
      { action: 'follow', points: 2, revocable: true, days: 2 },
    ];
    const { top } = await simulate(['--rules', await file(then), '--period', today.key, '--leaderboard', 'day']);
    const limits = [{ name: 'views', action: 'view', type: 'daily', max: 8 }];
    expect((await app.post('/activity/rules', { rules: then, limits }, withKey)).status).toBe(200);
    const revalue = async () => (await cli.call(['revalue', '--from', today.key])).out;
    expect(await revalue()).toBe('Changed what 2 of 3 users were granted, by 29 points together.\n');
    // What the limit lets through is not simulated.
    const limited = top.map(({ userId, points }) => [userId, userId === 'ann' ? 30 : points]);
    expect(limited).toEqual(expect.arrayContaining([['ann', 30], ['bob', 20], ['cid', 16]])); // prettier-ignore
    expect(await cli.standings('day', '--period', today.key)).toEqual(limited);
    expect(await cli.standings('day', '--period', dayBefore.key)).toEqual([['ann', 6]]);
    await cli.expectVerified();
    expect(await revalue()).toBe('Changed what 0 of 3 users were granted, by 0 points together.\n');
    await app.service.apply([{ ...praises[0], revoke: true, occurredAt: new Date(nowMs + 1) } as Activity]);
    expect(await cli.standings('day', '--period', today.key)).toEqual([['ann', 30], ['bob', 15], ['cid', 12]]); // prettier-ignore
    expect((await cli.call(['revalue', '--from', today.key], { isTerminal: true })).err).toContain('--yes');
  });

  it('knows actions of rules that have gone by the versions that were kept', async () => {
    const old = {
      options: { prefix: cli.prefix, shards, rules: [{ action: 'answer', points: 2, revocable: true, code: 'x' }] },
    };
    const app = await TinyApp.start(old);
    await app.nest.get(ActivityService).record(act('ada', 'answer', 3));
    const simulation = await simulate(['--rules', await file(rules({ answer: 4 })), '--period', today.key]);
    expect(simulation.top).toMatchObject([{ userId: 'ada', points: 12, pointsNow: 6 }]);
  });

  it('says so where ledgers of the period are no longer kept', async () => {
    const clock = new ManualClock(systemClock.now() - 70 * dayMs);
    const retentionMs = { ledger: 31 * dayMs };
    const leaderboards = [monthBoard, allBoard] as const;
    const app = await TinyApp.start({ options: { prefix: cli.prefix, shards, clock, leaderboards, retentionMs } });
    await app.nest.get(ActivityService).record(act('ada', 'view', 1, clock.now()));
    const path = await file(rules({ view: 2 }));
    const month = Period.of('month', new Date(clock.now()), 'UTC').key;
    const gone = await run(['--rules', path, '--period', month]);
    expect(gone.exitCode).toBe(1);
    expect(gone.err).toMatch(
      /^Ledgers are kept for 31 days after their day, and \d{4}-\d\d began on \d{4}-\d\d-01: .* began on \d{4}-\d\d-\d\d or later\.$/m,
    );
    const all = await run(['--rules', path, '--period', 'all']);
    expect(all.err).toContain('Ledgers are kept for 31 days');
  });

  it('says so where the ledgers are gone before their time', async () => {
    await record(act('ada', 'view', 1));
    const redis = testRedis();
    await redis.del(await redis.keys(`{${cli.prefix}:*}:ledger:*`));
    const { exitCode, err } = await run(['--rules', await file(rules({ view: 2 })), '--period', today.key]);
    expect(exitCode).toBe(1);
    expect(err).toContain(`There are no ledgers of ${today.key}: none of its users has one: they are gone.\n`);
  });

  it('walks the days that are listed where ledgers are kept for good', async () => {
    const env = { LAUREL_RETENTION: 'none', LAUREL_LATENESS_S: '10000000000' };
    const lines = [300, 200, 2].map((ago) =>
      JSON.stringify({ userId: 'ada', action: 'view', subject: '1', occurredAt: new Date(nowMs - ago * dayMs) }),
    );
    await cli.call(['import', '-'], { stdin: lines.join('\n'), env });
    const path = await file(rules({ view: 4 }));
    expect(await simulate(['--rules', path, '--period', 'all'], { env })).toMatchObject({
      pointsNow: 3,
      pointsThen: 12,
    });
  });

  it('refuses what it does not know', async () => {
    await record(act('ada', 'view', 1));
    const path = await file(rules({ view: 1 }));
    for (const [args, told] of [
      [['2026-13'], 'No leaderboard has a period "2026-13": there are day (day)'],
      [['9000'], 'No leaderboard has a period'],
      [['9000-01'], 'There are no ledgers of 9000-01: it has not begun.'],
      [['current', '--leaderboard', 'year'], 'No leaderboard has this name'],
      [['2026-10', '--leaderboard', 'day'], '"day" has no such period'],
      [['current', '--top', '0'], 'Use a whole number from 1 to 1000'],
    ] as const) {
      const { exitCode, err } = await run(['--rules', path, '--period', ...args]);
      expect([exitCode === 0, err]).toEqual([false, expect.stringContaining(told)]);
    }
    expect((await run(['--rules', join(folder, 'missing'), '--period', 'current'])).err).toContain(
      'cannot be read: no such file or directory',
    );
  });
});
