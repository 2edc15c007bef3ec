import { Ledger, Period, type Transition } from '@laurel/leaderboard';
import { type LeaderboardSettledEvent } from '@laurel/activity';
import { SettledBoards, StandingsChecksum } from '@laurel/activity/internals';
import type { Redis } from 'ioredis';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { rawBoard } from '../../support/ledger';
import { freshPrefix, testRedis, testRedisUrl } from '../../support/redis';
import { sampled } from '../../support/sampled';
import { drawer } from '../../support/seed';
import { mortalLedger, type MortalOrders } from './support/mortal-orders';
import { root } from '../../support/run';

const program = 'test/integration/settlement/support/mortal-instance.ts';
const script = `require('./tools/register-typescript.cjs'); process.argv[2] = process.argv[1]; require('./${program}');`;

/** The long run: `LAUREL_TEST_FULL=1`. */
const rounds = sampled({ sample: 3, full: 50 });

const placeOf = (index: number) => ({ place: index + 1, competition: 0, dense: 0 });

interface Instance {
  readonly child: ChildProcess;
  readonly said: string[];
  readonly ended: Promise<unknown>;
}

/** Starts an instance, and waits until it is ready to settle. */
async function start(orders: MortalOrders): Promise<Instance> {
  const child = spawn(process.execPath, ['-e', script, JSON.stringify(orders)], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const said: string[] = [];
  const ended = once(child, 'close');
  const ready = new Promise<void>((resolve, reject) => {
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      said.push(line);
      resolve();
    });
    child.once('exit', () => reject(new Error('An instance ended before it was ready.')));
  });
  await ready;
  return { child, said, ended };
}

/** Two closed days, a closed week, and an open month. */
const days = ['2036-11-08', '2036-11-09'] as const;
const due = [
  ['day', Period.parse('day', days[0], 'UTC')],
  ['day', Period.parse('day', days[1], 'UTC')],
  ['week', Period.parse('week', '2036-W45', 'UTC')],
] as const;

let redis: Redis;
beforeAll(() => {
  redis = testRedis();
});

const draw = drawer();
/** Steps to die at are drawn below it: settling takes more, so that work is left for the next. */
const maxStep = 40;

async function round(number: number): Promise<number> {
  const prefix = freshPrefix();
  const shards = number % 2 === 0 ? 1 : 4;
  for (const day of days) {
    const then = new Ledger(redis, mortalLedger(prefix, shards, `${day}T23:00:00Z`));
    const views = Array.from({ length: 300 }, (_, i): Transition => ({
      kind: 'grant',
      member: `user-${i}`,
      field: 'view:/',
      points: 1 + (draw(9) % 5),
      occurredAtMs: Date.parse(`${day}T10:00:00Z`) + i,
    }));
    await then.apply(views);
  }

  const orders = { url: testRedisUrl(), prefix, shards };
  const mortals = await Promise.all(
    Array.from({ length: 3 }, () => start({ ...orders, dieAt: 1 + draw(maxStep), dieBefore: draw(2) === 0 })),
  );
  // What the dead held is free at once: as its expiry does, much later.
  const buried = mortals.map(async ({ ended, said }) => {
    await ended;
    for (const line of said.filter((one) => one.startsWith('lease '))) {
      const [, key = '', token] = line.split(' ');
      if (token !== undefined && (await redis.get(key)) === token) await redis.del(key);
    }
  });
  for (const { child } of mortals) child.send('settle');
  await Promise.all(buried);
  const last = await start({ ...orders, dieAt: null, dieBefore: false });
  last.child.send('settle');
  await last.ended;
  expect(last.child.exitCode).toBe(0);
  const all = [...mortals, last];

  // Settled once, and as it stands.
  const now = new Ledger(redis, mortalLedger(prefix, shards));
  const settled = new SettledBoards(redis, now);
  for (const [board, period] of due) {
    const standings = await rawBoard(redis, now, board, period);
    const checksum = new StandingsChecksum();
    checksum.add(standings.map(({ member, ...line }, i) => ({ ...line, userId: member, ...placeOf(i) })));
    expect(await settled.find(board, period.key)).toMatchObject({ total: 300, checksum: checksum.digest() });
  }

  // Announced once, but for who died between the listener's end and the mark: then again, by the same id.
  const announced = (await redis.lrange(`${prefix}:announced`, 0, -1)).map(
    (text) => JSON.parse(text) as LeaderboardSettledEvent,
  );
  const diedAfterTelling = all.flatMap(({ said }) =>
    said.flatMap((line) => (line.startsWith('died ') && line !== 'died ' ? line.slice(5).split(',') : [])),
  );
  const times = (id: string) => announced.filter((event) => event.id === id).length;
  for (const [board, period] of due) {
    const id = `${board}:${period.key}`;
    expect({ id, times: times(id) }).toEqual({
      id,
      times: 1 + diedAfterTelling.filter((told) => told === id).length,
    });
    const told = announced.filter((event) => event.id === id).map(({ checksum, winners }) => ({ checksum, winners }));
    expect(new Set(told.map((event) => JSON.stringify(event))).size).toBe(1);
    const first = (await now.board(board, period).top(3)).map(({ member, score }) => ({ userId: member, score }));
    expect(told[0]?.winners).toMatchObject(first);
  }
  expect(announced.every(({ id }) => due.some(([board, { key }]) => id === `${board}:${key}`))).toBe(true);

  // Settled is settled, for clocks that are an hour behind as well; the month goes on.
  const late = new Ledger(redis, mortalLedger(prefix, shards, `${days[1]}T23:30:00Z`));
  const [more] = await late.apply([
    { kind: 'grant', member: 'late', field: 'view:/2', points: 1, occurredAtMs: Date.parse(`${days[1]}T23:00:00Z`) },
  ]);
  expect(more).toMatchObject({ outcome: 'granted', scores: { month: 1 } });
  expect(await late.board('day', due[1][1]).size()).toBe(300);
  return mortals.filter(({ child }) => child.signalCode === 'SIGKILL').length;
}

it(`three instances that settle, each killed at some step, settle once, announce once, and leave what stood on the board: ${rounds} rounds`, async () => {
  let killed = 0;
  for (let number = 0; number < rounds; number++) killed += await round(number);
  // Who found less to do than its step to die at lived on.
  expect(killed).toBeGreaterThan(1.5 * rounds);
  process.stdout.write(`${killed} of ${3 * rounds} instances were killed\n`);
});
