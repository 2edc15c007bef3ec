import {
  Ledger,
  Period,
  Resharding,
  type LedgerBoard,
  type LedgerOptions,
  type RedisClient,
  type Transition,
  type TransitionLimit,
  type TransitionResult,
} from '@laurel/leaderboard';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { rawBoard } from '../support/ledger';
import { Cluster } from 'ioredis';
import { ownCluster } from '../support/own-servers';
import type { ReshardingOrders } from '../support/mortal-resharding';
import { drawer } from '../support/seed';
import { dayMs, freshPrefix, ManualClock, waitUntil } from '../support';
import { sampled, sampleOf } from '../support/sampled';

/** The long run: `LAUREL_TEST_RESHARD_KILLS=30`. */
const maxKills = Number(process.env.LAUREL_TEST_RESHARD_KILLS ?? sampled({ sample: 2, full: 12 }));

/** To more shards and to fewer: one of them is moved without a fault at each commit, and the other is killed. */
const ways = [
  [1, 4],
  [8, 3],
] as const;
const undisturbed = sampleOf(ways, 1);
const killed = undisturbed.length === ways.length ? ways : ways.filter((way) => !undisturbed.includes(way));

const noon = Date.parse('2036-11-20T12:00:00Z');
const month = Period.of('month', new Date(noon), 'UTC');
const [today, yesterday] = [noon, noon - dayMs].map((ms) => Period.of('day', new Date(ms), 'UTC')) as [Period, Period];
const graceMs = 1_500;
const teams = ['red', 'blue: {x}', 'gr\n:een'];

const kept = { retentionMs: null, latenessMs: 3 * dayMs, freezes: true } as const;
const boards: readonly LedgerBoard[] = [
  { name: 'day', period: 'day', ...kept },
  { name: 'month', period: 'month', ...kept },
  { name: 'day.g.v', period: 'day', ...kept, tallyOf: 'day' },
  { name: 'team', period: 'month', ...kept, partition: 'team' },
];
const names = ['day', 'month', 'day.g.v', 'team'];

const gifts = { once: 1, limits: [], boards: ['day', 'month', 'team'] };
const visits = {
  once: 1,
  boards: names,
  limits: [
    { type: 'sliding', name: 'slow', max: 6, windowMs: 400, per: 'member' },
    { type: 'sliding', name: 'pair', max: 3, windowMs: 400, per: 'pair' },
    { type: 'own', name: 'gap', windowMs: 20, per: 'field', allows: (_, [before]) => !before || before.ms + 20 },
    { type: 'daily', name: 'many', max: 30, of: 'grants' },
  ] satisfies readonly TransitionLimit[],
} as const;

const options = (prefix: string, shards: number): LedgerOptions => ({
  prefix,
  shards,
  boards,
  ledgerRetentionMs: null,
  keepsFirstDays: true,
  laws: { of: (name) => (name.startsWith('v:') ? visits : gifts) },
  clock: new ManualClock(noon),
});

/** Two ledgers that are told the same, of which one moves while the other stays: they must end alike. */
class Twins {
  private at = 0;
  private readonly draw = drawer();
  readonly sent: Transition[] = [];

  constructor(
    private readonly moving: readonly Ledger[],
    readonly staying: Ledger,
  ) {}

  /** A transition of a member, as the seed draws it. */
  drawn(member: string): Transition {
    this.at += 1;
    const { draw } = this;
    const isLate = draw(4) === 0;
    const isGrant = draw(5) > 0;
    const one: Transition = {
      kind: isGrant ? 'grant' : 'revoke',
      member,
      field: `v:${draw(40)}`,
      points: 1 + draw(9),
      occurredAtMs: noon - (isLate ? dayMs : 0) + this.at,
      partitions: { team: teams[draw(teams.length)] as string },
      ...(isGrant && { gift: { member: `user ${draw(10)}`, points: 1 } }),
    };
    this.sent.push(one);
    return one;
  }

  /** Tells both, and compares what they answer; the one that moves is asked until it answers. */
  async tell(member: string): Promise<void> {
    const one = this.drawn(member);
    const ledger = this.moving[this.draw(this.moving.length)] as Ledger;
    const [{ answer, isRepeated }, stayed] = await Promise.all([insist(ledger, one), this.staying.apply([one])]);
    // What was recorded and not answered, as its owner was on the way, is known when it is repeated.
    const [found, expected] = [besides(answer), besides(stayed)];
    // A revoke that is known tells of its own day; the first time it told of the days that it ended.
    const inBoth = Object.entries(expected.scores ?? {}).filter(([label]) => label in (found.scores ?? {}));
    if (isRepeated) expect(found.scores).toMatchObject(Object.fromEntries(inBoth));
    else expect(found).toEqual(expected);
  }

  /** Compares everything that they have. */
  async compare(client: RedisClient, members: readonly string[]): Promise<void> {
    const [moved] = this.moving as [Ledger];
    // What was owed to owners on the way, of calls that were not answered.
    await moved.payOwed(Number.MAX_SAFE_INTEGER);
    for (const [board, period] of [
      ['day', today],
      ['day', yesterday],
      ['day.g.v', today],
      ['month', month],
    ] as const) {
      expect(await rawBoard(client, moved, board, period)).toEqual(await rawBoard(client, this.staying, board, period));
    }
    const parts = (ledger: Ledger) => collected(ledger.periods.partitions('team', month));
    expect(await parts(moved)).toEqual(await parts(this.staying));
    for (const team of teams) {
      const top = (ledger: Ledger) => ledger.board('team', month, team).top(1_000);
      expect(await top(moved)).toEqual(await top(this.staying));
    }
    const aside = (ledger: Ledger) => ledger.aside('month', month).top(1_000);
    expect(await aside(moved)).toEqual(await aside(this.staying));
    expect(await moved.firstDays.of(members)).toEqual(await this.staying.firstDays.of(members));
    for (const member of members) {
      const lines = async (ledger: Ledger) => [
        await ledger.history.lines(member, today),
        await ledger.history.lines(member, yesterday),
      ];
      expect(await lines(moved)).toEqual(await lines(this.staying));
    }
    expect(await moved.periods.stateOf('day', yesterday)).toBe(await this.staying.periods.stateOf('day', yesterday));
  }
}

function comparable([result]: readonly TransitionResult[]): Partial<TransitionResult> {
  return { ...result };
}

/**
 * Without whether the member is excluded, as meanwhile members are excluded in one ledger after the other, and without
 * the owner's points, which others change too.
 */
function besides(results: readonly TransitionResult[]) {
  return { ...comparable(results), excluded: undefined, gift: undefined };
}

async function collected(names: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const name of names) all.push(name);
  return all;
}

/** As an app does while members move: it tries again. */
async function insist(ledger: Ledger, transition: Transition) {
  let tries = 0;
  const answer = await waitUntil(
    () => {
      tries += 1;
      return ledger.apply([transition]);
    },
    { withinMs: 300_000, everyMs: 5, what: 'recording' },
  );
  return { answer, isRepeated: tries > 1 };
}

describe('members move to another number of shards of a Redis Cluster of six nodes', () => {
  const cluster = ownCluster({ masters: 3, replicas: 1 });
  const connections: RedisClient[] = [];
  /** Further connections, each another instance's. */
  const client = (): RedisClient => {
    const one = new Cluster([...cluster.servers.nodes]);
    connections.push(one);
    return one;
  };
  afterEach(async () => {
    await Promise.all(connections.splice(0).map((one) => one.quit()));
  });

  async function start(from: number) {
    const prefix = freshPrefix();
    const redis = client();
    const moving = [new Ledger(redis, options(prefix, from)), new Ledger(client(), options(prefix, from))];
    const reader = new Ledger(client(), options(prefix, from));
    const staying = new Ledger(redis, options(freshPrefix(), 2));
    const all = [...moving, reader, staying];
    for (const ledger of all) await ledger.prepare();
    const restful = Array.from({ length: 150 }, (_, i) => `resting ${i}`);
    const grants = restful.flatMap((member, i): Transition[] =>
      [0, dayMs].map((ago) => ({
        ...{ kind: 'grant', member, field: 'v:x', points: 1 + (i % 50), occurredAtMs: noon - ago - i },
        partitions: { team: teams[i % 3] as string },
      })),
    );
    for (const ledger of [moving[0] as Ledger, staying]) await ledger.apply(grants);
    const active = Array.from({ length: 12 }, (_, i) => `busy ${i}: {${i}}`);
    const twins = new Twins(moving, staying);
    // Some are kept off the boards before members move.
    const hidden = [restful[0], active[0], active[1]] as string[];
    for (const member of hidden)
      for (const ledger of [moving[0] as Ledger, staying]) await ledger.excluded.move(member, 'aside');
    return { prefix, redis, moving, reader, staying, twins, restful, active };
  }

  /** Everyone acts, and everybody's place is read, until told to stop. */
  function keepBusy({ twins, active, reader, restful }: Awaited<ReturnType<typeof start>>) {
    let goesOn = true;
    let reads = 0;
    let told = 0;
    const shown = new Set(restful.slice(1));
    const acting = active.map(async (member) => {
      while (goesOn) {
        await twins.tell(member);
        told += 1;
        await delay(5);
      }
    });
    // An instance that looks for another layout now and then, as apps do every two seconds.
    const reading = (async () => {
      while (goesOn) {
        const syncedAt = performance.now();
        await reader.syncShards();
        for (let i = 0; i < 5; i += 1) {
          const members = (await reader.board('month', month).top(1_000)).map(({ member }) => member);
          // Nothing is promised to who looked for another layout longer ago than that.
          if (performance.now() > syncedAt + graceMs) break;
          expect(new Set(members).size).toBe(members.length);
          expect(new Set(members.filter((member) => member.startsWith('resting')))).toEqual(shown);
          reads += 1;
          await delay(20);
        }
      }
    })();
    const done = Promise.all([...acting, reading]);
    // Who stops it is told of what failed on the way.
    done.catch(() => (goesOn = false));
    return async () => {
      goesOn = false;
      await done;
      return { told, reads };
    };
  }

  it.each(undisturbed)(
    'moves all from %d to %d shards while recording and reading go on: all ends as if nobody had moved',
    async (from, to) => {
      const setting = await start(from);
      const { prefix, redis, moving, staying, twins, restful, active } = setting;
      const stop = keepBusy(setting);
      const phases = new Set<string>();
      const onProgress = (phase: string) => phases.add(phase);
      const [report] = await Promise.all([
        new Resharding(redis, { prefix, shards: to, graceMs, onProgress }).run(),
        (async () => {
          for (const member of [active[2], active[3], active[0]] as string[]) {
            const place = member === active[0] ? 'onBoards' : 'aside';
            for (const ledger of [moving[1] as Ledger, staying]) {
              await waitUntil(() => ledger.excluded.move(member, place), { withinMs: 300_000 });
            }
          }
        })(),
      ]);
      const { told, reads } = await stop();
      expect(report).toMatchObject({ from, to });
      expect([...phases]).toEqual(['counting', 'copying', 'sealing', 'waiting', 'cleaning']);
      expect(moving.map(({ shards }) => shards)).toEqual([to, to]);
      process.stdout.write(
        `${from} to ${to} shards: ${told} recorded meanwhile, ${reads} reads of all, recording stopped for ${report.sealedMs.toFixed(0)} ms\n`,
      );
      // A freeze in the new shards, and what comes after it.
      // A frozen board takes nothing more: what owners are owed, of calls that were not answered, comes before.
      for (const ledger of [moving[0] as Ledger, staying]) {
        await ledger.payOwed(Number.MAX_SAFE_INTEGER);
        await ledger.periods.freeze('day', yesterday);
      }
      for (const member of active) await twins.tell(member);
      await twins.compare(redis, [...active, ...restful.slice(0, 10)]);
      const again = (ledger: Ledger) => ledger.apply(twins.sent.slice(-500));
      expect(await again(moving[1] as Ledger)).toEqual(await again(staying));
      // Nothing is left where they were.
      const old = new Ledger(client(), options(prefix, from));
      await expect(old.prepare()).rejects.toMatchObject({ code: 'shardCountMismatch' });
      const late = twins.drawn(active[0] as string);
      expect(comparable(await old.apply([late]))).toEqual(comparable(await staying.apply([late])));
      expect(old.shards).toBe(to);
    },
  );

  it.each(killed)('goes on from %d to %d shards however often it is killed', async (from, to) => {
    const setting = await start(from);
    const { prefix, redis, twins, restful, active } = setting;
    const stop = keepBusy(setting);
    const draw = drawer();
    let kills = 0;
    for (let round = 0; ; round += 1) {
      // Earlier and later steps; the last run lives.
      const dieAt = round < maxKills ? 5 + draw(60 * (round + 1)) : Number.MAX_SAFE_INTEGER;
      const isDone = await runMortal({ redis: cluster.servers.nodes, prefix, shards: to, graceMs, dieAt });
      if (isDone) break;
      kills += 1;
    }
    const { told } = await stop();
    process.stdout.write(`${from} to ${to} shards: killed ${kills} times, ${told} recorded meanwhile\n`);
    expect(kills).toBeGreaterThan(0);
    await twins.compare(redis, [...active, ...restful.slice(0, 10)]);
  });

  it('is taken over by a second run, after which the first changes nothing any more', async () => {
    const setting = await start(2);
    const { prefix, redis, twins, restful, active } = setting;
    const stop = keepBusy(setting);
    let second: Promise<unknown> | undefined;
    const onProgress = (phase: string) => {
      if (phase === 'copying') second ??= new Resharding(client(), { prefix, shards: 5, graceMs }).run();
    };
    const first = new Resharding(redis, { prefix, shards: 5, graceMs, onProgress }).run();
    await expect(first).rejects.toMatchObject({ code: 'unavailable', message: expect.stringMatching(/Another run/) });
    await expect(second).resolves.toMatchObject({ from: 2, to: 5 });
    await stop();
    await twins.compare(redis, [...active, ...restful.slice(0, 10)]);
  });
});

async function runMortal(orders: ReshardingOrders): Promise<boolean> {
  const script = `require('./tools/register-typescript.cjs'); require('./test/support/mortal-resharding.ts');`;
  const child = spawn(process.execPath, ['-e', script, '--', JSON.stringify(orders)], {
    cwd: join(__dirname, '../..'),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  if (signal === 'SIGKILL') return false;
  expect(code).toBe(0);
  return true;
}
