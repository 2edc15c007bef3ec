import { startRedis, type RedisServer } from '@laurel/servers';
import { Period, type Ledger } from '@laurel/leaderboard';
import { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BusiestCommenter, MostPraised, NightOwl, SevenDayStreak } from '@laurel/activity';
import { LEDGER, SettledBoards, type RankPage, type RankPartitions } from '@laurel/activity/internals';
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

/** What requests of a kind may cost at most; it goes on behind the answer to its end. */
interface Bound {
  readonly request: string;
  /** Commands and scripts that the app sends. */
  readonly calls: number;
  /** What Redis executes for them, the commands within scripts included. */
  readonly commands: number;
  /** Each with parameters of its own: the dearest that are known. */
  readonly paths: readonly string[];
  readonly body?: unknown;
}

const rankings = ['ordinal', 'competition', 'dense'];
const half = members / 2;

const lookup = { userIds: Array.from({ length: 200 }, (_, i) => `m${i * 4_999}`) };

const bounds: readonly Bound[] = [
  { request: '`GET /ranks`', calls: 10, commands: 10, paths: [''] },
  {
    request: '`GET /ranks/:leaderboard`, any `limit` and `ranking`; `HEAD` alike',
    calls: 10,
    commands: 150,
    paths: [...rankings.map((ranking) => `month?limit=100&ranking=${ranking}`), 'HEAD month?limit=100'],
  },
  {
    request: '… at any `offset`, behind any `cursor`',
    calls: 10,
    commands: 200,
    paths: [
      ...[half, members - 50, 1_000_000_000].flatMap((offset) => {
        return ['ordinal', 'competition'].map((ranking) => `month?limit=100&offset=${offset}&ranking=${ranking}`);
      }),
      'month?limit=100&cursor=half',
      'month?limit=100&ranking=competition&cursor=half',
    ],
  },
  {
    request: '… of a settled period',
    calls: 10,
    commands: 350,
    paths: ['ordinal', 'competition'].flatMap((ranking) => [
      `day?period=2033-02-01&limit=100&offset=${settledEntries - 50}&ranking=${ranking}`,
      `day?period=2033-02-02&limit=100&ranking=${ranking}`,
    ]),
  },
  {
    request: '… between any `minScore` and `maxScore`',
    calls: 10,
    commands: 200,
    paths: ['ordinal', 'competition'].flatMap((ranking) => [
      `month?limit=100&maxScore=50000&ranking=${ranking}`,
      `month?limit=100&minScore=10&maxScore=90000&offset=${half}&ranking=${ranking}`,
    ]),
  },
  {
    request: '… between them in a settled period',
    calls: 10,
    commands: 350,
    paths: ['ordinal', 'competition'].flatMap((ranking) => [
      `day?period=2033-02-03&limit=100&maxScore=150&ranking=${ranking}`,
      `day?period=2033-02-04&limit=100&maxScore=0&ranking=${ranking}`,
    ]),
  },
  {
    request: '`GET …/users/:userId`',
    calls: 40,
    commands: 60,
    paths: ['m0', `m${half}`, `m${members - 1}`, 'nobody'].flatMap((user) => [
      `month/users/${user}`,
      `month/users/${user}?ranking=competition`,
      `month/users/${user}?period=previous&ranking=competition`,
    ]),
  },
  {
    request: '… of a settled period',
    calls: 40,
    commands: 60,
    paths: ['m0', 'm7', 'nobody'].flatMap((user) => {
      return ['ordinal', 'competition'].map((ranking) => `day/users/${user}?period=2033-03-01&ranking=${ranking}`);
    }),
  },
  {
    request: '`GET /ranks/users/:userId`, of two leaderboards',
    calls: 80,
    commands: 120,
    paths: [`users/m${half}?ranking=competition`, 'users/nobody'],
  },
  {
    request: '`GET …/around`, any `radius`',
    calls: 40,
    commands: 350,
    paths: ['ordinal', 'competition'].flatMap((ranking) => [
      `month/users/m${half}/around?radius=50&ranking=${ranking}`,
      `month/users/m0/around?radius=50&ranking=${ranking}`,
      `day/users/m7/around?radius=50&period=2033-03-02&ranking=${ranking}`,
    ]),
  },
  {
    request: '`POST …/lookup` of 200 users',
    calls: 40,
    commands: 1_300,
    body: lookup,
    paths: ['month/lookup', 'month/lookup?ranking=competition', 'day/lookup?period=2033-03-03'],
  },
  {
    request: '… with `titles=true`, by four rules: a page of 100 users is half of it',
    calls: 1_600,
    commands: 3_000,
    body: lookup,
    paths: ['month/lookup?titles=true&ranking=competition', 'day/lookup?titles=true&period=2033-03-04'],
  },
  {
    request: '`GET …/history`, any `limit` and `cursor`',
    calls: 450,
    commands: 900,
    paths: ['m0', 'm7', 'nobody'].flatMap((user) => [
      `day/users/${user}/history?limit=100`,
      `day/users/${user}/history?limit=100&ranking=competition`,
      `month/users/${user}/history`,
    ]),
  },
  {
    request: '`GET …/points`, any `from` and `to`, of a user on all of 366 settled days',
    calls: 800,
    commands: 2_000,
    paths: ['m0', 'm7'].flatMap((user) => [
      `day/users/${user}/points`,
      `day/users/${user}/points?from=2033-01-01&to=2034-01-01`,
      `month/users/${user}/points?from=2027-01-01`,
    ]),
  },
  {
    request: '… of a user who is on none',
    calls: 40,
    commands: 450,
    paths: [
      'day/users/nobody/points',
      'day/users/nobody/points?from=2033-01-01&to=2034-01-01',
      'month/users/nobody/points?from=2027-01-01',
    ],
  },
  {
    request: '`GET …/periods`, any `limit`, `from`, `to` and `cursor`',
    calls: 120,
    commands: 220,
    paths: ['day/periods?limit=100', 'day/periods?limit=100&from=2032-01-01&to=2036-10-01', 'month/periods'],
  },
  {
    request: '`GET …/partitions`, any `limit` and `cursor`',
    calls: 120,
    commands: 220,
    paths: ['category/partitions?limit=100', 'category/partitions?limit=100&cursor=far'],
  },
  {
    request: '`GET …/stream`, to open it',
    calls: 20,
    commands: 150,
    paths: ['month/stream?limit=100', 'category/stream?partition=none'],
  },
  {
    request:
      'any of them with `ranking=dense`, 100,000 scores ahead, and as many the period before: all who ask within 4 s',
    calls: 240,
    commands: 202_000,
    paths: [
      `month?limit=100&offset=${members - 50}&ranking=dense`,
      'month/users/m0?ranking=dense',
      'month/users/m0/around?radius=50&ranking=dense',
      'day?period=2033-02-02&limit=100&ranking=dense',
      'day/users/m0/history?limit=100&ranking=dense',
    ],
  },
];

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
  async function costOf(path: string, { body }: Bound): Promise<Cost> {
    clock.advance(60_000);
    let requests = 1;
    let names: string[] = [];
    const executed = await watcher.during(async () => {
      names = await client.during(async () => {
        if (path.includes('/stream')) await listen(path);
        else requests = await answered(path, body);
        await client.whenIdle();
      });
    });
    return { requests, calls: names.length, ...executed };
  }

  /**
   * While 100,000 scores are counted on a slow machine the answer is 503; who asks again finds them counted. Returns
   * how often one asked.
   */
  async function answered(path: string, body: unknown): Promise<number> {
    let requests = 0;
    await waitUntil(
      async () => {
        requests += 1;
        const url = `/ranks/${path}`.replace(/\/$/, '');
        const method = path.startsWith('HEAD ') ? 'HEAD' : 'GET';
        const { status } = await (body === undefined
          ? app().send(url.replace('HEAD ', ''), { method })
          : app().post(url, body));
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
    let cursor: string | null = null;
    for (let i = 0; i < parts / 100 - 5; i++) {
      const query: string = cursor === null ? '' : `&cursor=${cursor}`;
      cursor = (await app().get<RankPartitions>(`/ranks/category/partitions?limit=100${query}`)).body.next;
    }
    return path.replace('far', cursor ?? '');
  }

  it.each(bounds.map((bound) => [bound.request, bound] as const))('is bound: %s', async (_, bound) => {
    for (const given of bound.paths) {
      const path = await addressed(given);
      const cost = await costOf(path, bound);
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
    const written = text.replace(/(<!-- bounds -->\n)[^]*(<!-- \/bounds -->)/, (_, before, after) => {
      return `${before}\n${tableOf(bounds)}\n${after}`;
    });
    if (process.env.LAUREL_WRITE_BOUNDS) writeFileSync(page, written);
    else expect(text).toBe(written);
  });
});

function tableOf(rows: readonly Bound[]): string {
  const figure = (value: number) => value.toLocaleString('en');
  const cells = [
    ['request', 'calls', 'commands'],
    ...rows.map(({ request, calls, commands }) => [request, figure(calls), figure(commands)]),
  ];
  const widths = [0, 1, 2].map((column) => Math.max(...cells.map((row) => (row[column] as string).length)));
  const lines = cells.map((row) => {
    return `| ${row.map((cell, i) => (i === 0 ? cell.padEnd(widths[0] as number) : cell.padStart(widths[i] as number))).join(' | ')} |`;
  });
  const rule = `| ${widths.map((width, i) => (i === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  return [lines[0], rule, ...lines.slice(1)].join('\n') + '\n';
}

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
  const ledger = app.nest.get<Ledger>(LEDGER);
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
