import { startRedis, type RedisServer } from '@laurel/servers';
import { Period, type Ledger } from '@laurel/leaderboard';
import { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BusiestCommenter, MostPraised, NightOwl, SevenDayStreak } from '@laurel/activity';
import { Ledgers, SettledBoards, type RankPage, type RankPartitions } from '@laurel/activity/internals';
import { EventStream } from '../../support/event-stream';
// Private: what an instance looks up on its own time is no cost of a request.
import { PeriodicTasks } from '../../../libs/activity/src/core/periodic/periodic-tasks';
import { CountingRedis, dayMs, hourMs, ManualClock, oneTinyApp, type TinyApp, waitUntil } from './support';

/** The size at which the bounds are held. */
const members = 1_000_000;
const distinct = 100_000;
const settledDays = 5 * 365;
const settledEntries = 300;
const parts = 5_000;

/** No call may have Redis execute more commands before others have their turn. */
const commandsOfOneCall = 1_100;

const nowMs = Date.parse('2036-11-20T12:00:00Z');
const page = join(__dirname, '../../../docs/what-you-can-rely-on.md');

/**
 * What requests of a kind may cost at most; it goes on behind the answer to its end: `calls`, commands and scripts that
 * the app sends, and `commands` that Redis executes for them, those within scripts included. Each path is with
 * parameters of its own: the dearest that are known.
 */
const bound = (request: string, calls: number, commands: number, paths: readonly string[]) => {
  return { request, calls, commands, paths };
};
type Bound = ReturnType<typeof bound>;

const half = members / 2;
const lookup = { userIds: Array.from({ length: 200 }, (_, i) => `m${i * 4_999}`) };
/** Each path by the two rankings that are no dense one. */
const ranked = (...paths: readonly string[]) =>
  paths.flatMap((path) => ['ordinal', 'competition'].map((ranking) => `${path}&ranking=${ranking}`));

const bounds: readonly Bound[] = [
  bound('`GET /ranks`', 10, 10, ['']),
  bound('`GET /ranks/:leaderboard`, any `limit` and `ranking`; `HEAD` alike', 10, 150, [
    ...['ordinal', 'competition', 'dense'].map((ranking) => `month?limit=100&ranking=${ranking}`),
    'HEAD month?limit=100',
  ]),
  bound('… at any `offset`, behind any `cursor`', 10, 200, [
    ...ranked(...[half, members - 50, 1_000_000_000].map((offset) => `month?limit=100&offset=${offset}`)),
    'month?limit=100&cursor=half',
    'month?limit=100&ranking=competition&cursor=half',
  ]),
  bound('… of a settled period', 10, 350, [
    ...ranked(`day?period=2033-02-01&limit=100&offset=${settledEntries - 50}`, 'day?period=2033-02-02&limit=100'),
  ]),
  bound('… between any `minScore` and `maxScore`', 10, 200, [
    ...ranked(`month?limit=100&maxScore=50000`, `month?limit=100&minScore=10&maxScore=90000&offset=${half}`),
  ]),
  bound('… between them in a settled period', 10, 350, [
    ...ranked('day?period=2033-02-03&limit=100&maxScore=150', 'day?period=2033-02-04&limit=100&maxScore=0'),
  ]),
  bound('`GET …/users/:userId`', 40, 60, [
    ...['m0', `m${half}`, `m${members - 1}`, 'nobody'].flatMap((user) => [
      `month/users/${user}`,
      `month/users/${user}?ranking=competition`,
      `month/users/${user}?period=previous&ranking=competition`,
    ]),
  ]),
  bound('… of a settled period', 40, 60, [
    ...ranked(...['m0', 'm7', 'nobody'].map((user) => `day/users/${user}?period=2033-03-01`)),
  ]),
  bound('`GET /ranks/users/:userId`, of two leaderboards', 80, 120, [
    `users/m${half}?ranking=competition`,
    'users/nobody',
  ]),
  bound('`GET …/around`, any `radius`', 40, 350, [
    ...ranked(...[`m${half}`, 'm0'].map((user) => `month/users/${user}/around?radius=50`)),
    ...ranked('day/users/m7/around?radius=50&period=2033-03-02'),
  ]),
  bound('`POST …/lookup` of 200 users', 40, 1_300, [
    ...['month/lookup', 'month/lookup?ranking=competition', 'day/lookup?period=2033-03-03'],
  ]),
  bound('… with `titles=true`, by four rules: a page of 100 users is half of it', 1_600, 3_000, [
    ...['month/lookup?titles=true&ranking=competition', 'day/lookup?titles=true&period=2033-03-04'],
  ]),
  bound('`GET …/history`, any `limit` and `cursor`', 450, 900, [
    ...['m0', 'm7', 'nobody'].flatMap((user) => [
      `day/users/${user}/history?limit=100`,
      `day/users/${user}/history?limit=100&ranking=competition`,
      `month/users/${user}/history`,
    ]),
  ]),
  bound('`GET …/points`, any `from` and `to`, of a user on all of 366 settled days', 800, 2_000, [
    ...pointsOf('m0'),
    ...pointsOf('m7'),
  ]),
  bound('… of a user who is on none', 40, 450, pointsOf('nobody')),
  bound('`GET …/periods`, any `limit`, `from`, `to` and `cursor`', 120, 220, [
    ...['day/periods?limit=100', 'day/periods?limit=100&from=2032-01-01&to=2036-10-01', 'month/periods'],
  ]),
  bound('`GET …/partitions`, any `limit` and `cursor`', 120, 220, [
    ...['category/partitions?limit=100', 'category/partitions?limit=100&cursor=far'],
  ]),
  bound('`GET …/stream`, to open it', 20, 150, ['month/stream?limit=100', 'category/stream?partition=none']),
  bound(
    'any of them with `ranking=dense`, 100,000 scores ahead, and as many the period before: all who ask within 4 s',
    240,
    202_000,
    [
      `month?limit=100&offset=${members - 50}&ranking=dense`,
      'month/users/m0?ranking=dense',
      'month/users/m0/around?radius=50&ranking=dense',
      'day?period=2033-02-02&limit=100&ranking=dense',
      'day/users/m0/history?limit=100&ranking=dense',
    ],
  ),
];

function pointsOf(user: string): string[] {
  const years = [
    `day/users/${user}/points?from=2033-01-01&to=2034-01-01`,
    `month/users/${user}/points?from=2027-01-01`,
  ];
  return [`day/users/${user}/points`, ...years];
}

interface Cost {
  /** More than one where the first was answered by 503. */
  readonly requests: number;
  readonly calls: number;
  readonly commands: number;
  /** The most of them that one call executed. */
  readonly atOnce: number;
}

/** Sees every command that Redis executes, those in scripts included. */
class Watcher {
  private commands = 0;
  private ofCall = 0;
  private atOnce = 0;

  private constructor(
    private readonly monitor: Redis,
    private readonly client: Redis,
  ) {
    monitor.on('monitor', (_time: string, [name]: string[], source: string) => {
      if (name === 'echo') return;
      this.commands += 1;
      // A script comes before what it calls.
      this.ofCall = source === 'lua' ? this.ofCall + 1 : 1;
      this.atOnce = Math.max(this.atOnce, this.ofCall);
    });
  }

  static async of(url: string): Promise<Watcher> {
    const client = new Redis(url);
    return new Watcher(await client.monitor(), client);
  }

  async during(work: () => Promise<void>): Promise<Pick<Cost, 'commands' | 'atOnce'>> {
    await this.catchUp();
    [this.commands, this.atOnce] = [0, 0];
    await work();
    await this.catchUp();
    return { commands: this.commands, atOnce: this.atOnce };
  }

  disconnect(): void {
    this.monitor.disconnect();
    this.client.disconnect();
  }

  /** Resolves when all that was executed until now has been seen. */
  private async catchUp(): Promise<void> {
    const mark = randomUUID();
    const seen = new Promise<void>((resolve) => {
      const look = (_time: string, [name, text]: string[]) => {
        if (name !== 'echo' || text !== mark) return;
        this.monitor.off('monitor', look);
        resolve();
      };
      this.monitor.on('monitor', look);
    });
    await this.client.echo(mark);
    await seen;
  }
}

describe('what a request may cost', () => {
  let redis: RedisServer;
  let client: CountingRedis;
  let watcher: Watcher;
  let clock: ManualClock;

  beforeAll(async () => {
    redis = await startRedis();
    client = new CountingRedis(redis.url);
    watcher = await Watcher.of(redis.url);
    clock = new ManualClock(nowMs);
  });
  const app = oneTinyApp(() => ({
    providers: [MostPraised, NightOwl, BusiestCommenter, SevenDayStreak],
    options: {
      redis: { client },
      clock,
      cacheMs: 500,
      leaderboards: [
        { name: 'day', period: 'day' },
        { name: 'month', period: 'month', tallies: ['received:praise', 'given:comment'] },
        { name: 'category', period: 'day', partition: 'category' },
      ],
      settlement: { everyMs: 86_400_000 },
      streams: { maxPerAddress: 1_000 },
    },
  }));
  beforeAll(async () => {
    await fill(app(), client);
    await app().nest.get(PeriodicTasks).beforeApplicationShutdown();
  });
  afterAll(async () => {
    client.disconnect();
    watcher.disconnect();
    await redis.stop();
  });

  /** What one request costs where nothing is kept of those before, with what it leaves to be done behind its answer. */
  async function costOf(path: string): Promise<Cost> {
    clock.advance(60_000);
    let requests = 1;
    let names: string[] = [];
    const executed = await watcher.during(async () => {
      names = await client.during(async () => {
        if (path.includes('/stream')) await listen(path);
        else requests = await answered(path);
        await client.whenIdle();
      });
    });
    return { requests, calls: names.length, ...executed };
  }

  /**
   * While 100,000 scores are counted on a slow machine the answer is 503; who asks again finds them counted. Returns
   * how often one asked.
   */
  async function answered(path: string): Promise<number> {
    let requests = 0;
    await waitUntil(
      async () => {
        requests += 1;
        const url = `/ranks/${path}`.replace(/\/$/, '');
        const method = path.startsWith('HEAD ') ? 'HEAD' : 'GET';
        const { status } = await (path.includes('/lookup')
          ? app().post(url, lookup)
          : app().send(url.replace('HEAD ', ''), { method }));
        if (status === 503 && path.includes('dense')) return false;
        expect([path, status]).toEqual([path, 200]);
        return true;
      },
      { what: path },
    );
    return requests;
  }

  async function listen(path: string): Promise<void> {
    const stream = await EventStream.open(`${await app().nest.getUrl()}/ranks/${path}`);
    await stream.next('standings');
    stream.close();
  }

  /** A path with the cursor in it that it names. */
  async function addressed(path: string): Promise<string> {
    if (path.endsWith('cursor=half')) {
      const { body } = await app().get<RankPage>(`/ranks/month?limit=100&offset=${half}`);
      return path.replace('half', body.next ?? '');
    }
    if (!path.endsWith('cursor=far')) return path;
    const pages = await app().pages<RankPartitions>('/ranks/category/partitions?limit=100');
    return path.replace('far', pages.at(-6)?.next ?? '');
  }

  it.each(bounds.map((bound) => [bound.request, bound] as const))('is bound: %s', async (_, bound) => {
    for (const given of bound.paths) {
      const path = await addressed(given);
      const cost = await costOf(path);
      const { requests } = cost;
      const [calls, commands] = [bound.calls * requests, bound.commands * requests];
      const isWithin = cost.calls <= calls && cost.commands <= commands && cost.atOnce <= commandsOfOneCall;
      expect({ path, ...cost, isWithin }).toEqual({ path, ...cost, isWithin: true });
    }
  });

  it('lets streams of parts that nobody is on take no place from those of others', async () => {
    const url = `${await app().nest.getUrl()}/ranks/category/stream?partition=`;
    for (let i = 0; i < 200; i++) await EventStream.open(`${url}invented${i}`);
    await expect(EventStream.open(`${url}invented`)).rejects.toThrow('gave 503');
    await EventStream.open(`${url}invented0`);
    await EventStream.open(`${url}${encodeURIComponent('part 7')}`);
  });

  it('stands in docs/what-you-can-rely-on.md: LAUREL_WRITE_BOUNDS=1 writes it', () => {
    const text = readFileSync(page, 'utf8');
    const figure = (value: number) => value.toLocaleString('en');
    const rows = bounds.map(
      ({ request, calls, commands }) => `| ${request} | ${figure(calls)} | ${figure(commands)} |`,
    );
    const table = ['| request | calls | commands |', '| --- | --: | --: |', ...rows].join('\n');
    const written = text.replace(/(<!-- bounds -->\n)[^]*(<!-- \/bounds -->)/, (_, before, after) => {
      return `${before}\n${table}\n\n${after}`;
    });
    // How wide the columns of a table are, Prettier's own check looks at.
    const unpadded = (given: string) => given.replace(/ {2,}/g, ' ').replace(/-{2,}/g, '--');
    if (process.env.LAUREL_WRITE_BOUNDS) writeFileSync(page, written);
    else expect(unpadded(text)).toBe(unpadded(written));
  });
});

/** Puts a board's entries where the ledger has them, a thousand a command. */
async function fillBoard(
  ledger: Ledger,
  redis: Redis,
  { board, period, points }: { readonly board: string; readonly period: Period; readonly points: readonly number[] },
): Promise<void> {
  const { keys, score } = ledger.periods.boardPeriod(board, period, null);
  const startMs = period.start.getTime();
  for (let first = 0; first < points.length; first += 10_000) {
    const pipeline = redis.pipeline();
    for (let at = first; at < Math.min(points.length, first + 10_000); at += 1_000) {
      const lines = points.slice(at, at + 1_000).flatMap((own, i) => {
        return [score.encode(own, startMs + at + i), `m${at + i}`];
      });
      pipeline.zadd(keys[0] as string, ...lines);
    }
    await pipeline.exec();
  }
}

/** A month of {@link members}, one before it of as many scores, five years of settled days, and many parts. */
async function fill(app: TinyApp, redis: Redis): Promise<void> {
  const ledger = app.nest.get(Ledgers).main;
  const settled = new SettledBoards(redis, ledger);
  const periodOf = (kind: 'day' | 'month', ms: number) => Period.of(kind, new Date(ms), 'UTC');
  // m0 has the least: to its dense rank all other scores are counted.
  const points = Array.from({ length: members }, (_, i) => 1 + (i % distinct));
  const month = periodOf('month', nowMs);
  const before = month.previous();
  if (!before) throw new Error('There is no month before.');
  await app.record({ userId: 'ann', action: 'praise', subject: 'a', occurredAt: new Date(nowMs).toISOString() });
  await fillBoard(ledger, redis, { board: 'month', period: month, points });
  await fillBoard(ledger, redis, { board: 'month', period: before, points: points.slice(0, distinct) });
  await fillBoard(ledger, redis, { board: 'day', period: periodOf('day', nowMs), points: points.slice(0, 1_000) });
  const events = Array.from({ length: parts }, (_, i) => {
    return { userId: `u${i}`, action: 'praise', subject: 'a', partitions: { category: `part ${i}` } };
  });
  for (let first = 0; first < parts; first += 500) await app.record(...events.slice(first, first + 500));

  const days = Array.from({ length: settledDays }, (_, i) => periodOf('day', nowMs - (i + 1) * dayMs));
  for (let first = 0; first < days.length; first += 20) {
    await Promise.all(
      days.slice(first, first + 20).map(async (day) => {
        await fillBoard(ledger, redis, { board: 'day', period: day, points: points.slice(0, settledEntries) });
        const [period, startMs, endMs] = [day.key, day.start.getTime(), day.end?.getTime() ?? 0];
        await redis.zadd(`{${ledger.settings.prefix}}:periods:day`, startMs, period);
        const facts = { leaderboard: 'day', period, startMs, endMs, settledAtMs: endMs + hourMs };
        const known = { ...facts, total: settledEntries, checksum: '', tieRule: '', rulesVersion: 1 };
        await (await settled.begin('day', period)).commit(known);
        await ledger.periods.freeze('day', day);
        await settled.keep('day', day, [known], null);
      }),
    );
  }
  await ledger.excluded.move('m5', 'aside');
}
