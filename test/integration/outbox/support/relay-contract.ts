import { forgetDone, type NotYet, OutboxLog, outboxState, type RelayReceiver } from '@laurel/outbox';
import { systemClock } from '@laurel/leaderboard';
import { waitUntil } from '../../../support/wait-until';
import { drawer } from '../../../support/seed';
import { Observed, type OutboxDatabase } from './outbox-database';

/** Events of these suites: which of its lane. */
interface Numbered {
  readonly lane: string;
  readonly n: number;
}

const numbered = (lane: string, count: number): Numbered[] =>
  Array.from({ length: count }, (_, index) => ({ lane, n: index + 1 }));

/** Takes whatever it is allowed to. */
class Taking implements RelayReceiver<Numbered> {
  readonly taken: Numbered[] = [];
  isAwayNow = false;
  /** What it refuses to read, and what it fails at when it is delivered. */
  unreadable: (event: Numbered) => boolean = () => false;
  bad: (event: Numbered) => boolean = () => false;
  /** What it is to be given again, and whether it lets what it cannot read pass. */
  early: (event: Numbered) => boolean = () => false;
  lets = false;
  /** Awaited in each delivery. */
  before: () => Promise<unknown> = () => Promise.resolve();

  constructor(private readonly into: Numbered[] = []) {}

  read(body: unknown): Numbered {
    const event = body as Numbered;
    if (this.unreadable(event)) throw new Error('It cannot be read.');
    return event;
  }

  async deliver(events: readonly Numbered[]): Promise<NotYet<Numbered> | null> {
    await this.before();
    if (this.isAwayNow) throw new Error('away');
    if (events.some((event) => this.bad(event))) throw new Error('One of them is bad.');
    const items = events.filter((event) => this.early(event));
    const taken = events.filter((event) => !this.early(event));
    this.taken.push(...taken);
    this.into.push(...taken);
    return items.length > 0 ? { items, error: new Error('not yet') } : null;
  }

  mayPass(): boolean {
    return this.lets;
  }

  isAway(error: unknown): boolean {
    return error instanceof Error && error.message === 'away';
  }

  of(lane: string): number[] {
    return this.taken.filter((event) => event.lane === lane).map(({ n }) => n);
  }
}

/** What every database's outbox and its relays must do. */
export function describeOutbox(
  name: string,
  start: () => Promise<OutboxDatabase>,
  it: Pick<jest.It, 'each'> & jest.It = global.it,
): void {
  let database: OutboxDatabase;

  beforeAll(async () => {
    if (it !== global.it.skip) database = await start();
  });
  afterEach(() => database?.clear());
  afterAll(() => database?.stop());

  describe(`a relay on ${name}`, () => {
    const waiting = async () => (await outboxState(database.pool)).waiting;

    it('hands over what was committed, in its order, and nothing that was not', async () => {
      const receiver = new Taking();
      database.relay(receiver).start();
      const undone = await database.begin();
      await undone.write('a', { lane: 'a', n: 1 });
      await undone.rollback();
      await database.write('a', ...numbered('a', 3));
      await waitUntil(() => receiver.taken.length === 3);
      expect(receiver.of('a')).toEqual([1, 2, 3]);
      await waitUntil(async () => (await waiting()) === 0);
    });

    it('looks at once when it is woken, long before it would by itself', async () => {
      const receiver = new Taking();
      const relay = database.relay(receiver, { pollMs: 600_000 });
      relay.start();
      for (const event of numbered('a', 20)) {
        await database.write('a', event);
        relay.wake();
        await waitUntil(() => receiver.taken.length === event.n, { everyMs: 1, what: `event ${event.n}` });
      }
    });

    it('looks again where another relay emptied a lane that it had just found, as more may be there by now', async () => {
      const receiver = new Taking();
      let found = 0;
      const interrupt = async (text: string) => {
        if (!text.includes(database.dialect.locksLanes) || (found += 1) > 1) return;
        // Another relay, whose transaction ended between this look and the lock, and somebody who writes.
        await database.query(`UPDATE outbox SET done_at = ${database.dialect.utcNow}`);
        await database.write('a', { lane: 'a', n: 2 });
      };
      await database.write('a', { lane: 'a', n: 1 });
      const relay = database.relay(receiver, { pollMs: 600_000, concurrency: 1 }, interrupt);
      relay.start();
      await waitUntil(() => receiver.taken.length === 1, { what: 'the second event' });
      expect(receiver.of('a')).toEqual([2]);
    });

    it('shares the lanes with others: each event once, each lane in order, while many write', async () => {
      const draw = drawer();
      const all: Numbered[] = [];
      const receivers = [new Taking(all), new Taking(all), new Taking(all)];
      const lanes = Array.from({ length: 24 }, (_, index) => `lane ${index}`);
      await Promise.all(lanes.map((lane) => database.write(lane, { lane, n: 1 })));
      // None delivers before each has lanes: two of them do not hold them all.
      const arrived = new Set<Taking>();
      let letGo = () => {};
      const haveAll = new Promise<void>((resolve) => (letGo = resolve));
      for (const receiver of receivers) {
        receiver.before = () => {
          if (arrived.add(receiver).size === receivers.length) letGo();
          return haveAll;
        };
        database.relay(receiver, { batchSize: 5 }).start();
      }
      await Promise.all(lanes.map((lane) => database.write(lane, ...numbered(lane, 10 + draw(30)).slice(1))));
      await waitUntil(async () => (await waiting()) === 0).finally(letGo);
      for (const lane of lanes) {
        const taken = all.filter((event) => event.lane === lane).map(({ n }) => n);
        expect([lane, taken]).toEqual([lane, taken.map((_, index) => index + 1)]);
      }
      expect(all).toHaveLength((await database.query('SELECT id FROM outbox')).length);
      // All of them had work: it was not one that did it while the others looked on.
      for (const { taken } of receivers) expect(taken.length).toBeGreaterThan(0);
    });

    it('keeps the order in which a lane was committed, however its writers overlap', async () => {
      const receiver = new Taking();
      const [first, second] = await Promise.all([database.begin(), database.begin()]);
      await first.write('a', { lane: 'a', n: 1 });
      const late = second.write('a', { lane: 'a', n: 2 });
      await database.write('b', { lane: 'b', n: 1 });
      database.relay(receiver).start();
      await waitUntil(() => receiver.of('b').length === 1);
      expect(receiver.of('a')).toEqual([]);
      await first.commit();
      await late;
      await second.commit();
      await waitUntil(() => receiver.of('a').length === 2);
      expect(receiver.of('a')).toEqual([1, 2]);
    });

    it.each(['unreadable', 'bad'] as const)(
      'keeps back the lane of an event that is %s, and no other',
      async (fault) => {
        const receiver = new Taking();
        receiver[fault] = ({ lane, n }) => lane === 'a' && n === 2;
        const observer = new Observed();
        for (const lane of ['a', 'b', 'c']) await database.write(lane, ...numbered(lane, 3));
        database.relay(receiver, { observer, retryMs: 40 }).start();
        await waitUntil(() => receiver.of('b').length === 3 && receiver.of('c').length === 3);
        await waitUntil(() => observer.refusals.length >= 3);
        expect(receiver.of('a')).toEqual([1]);
        expect(new Set(observer.refusals).size).toBe(1);
        const [row] = await database.query<{ attempts: number; wait_ms: number | string }>(
          `SELECT attempts, ${database.dialect.msUntil('retry_at')} AS wait_ms FROM outbox
         WHERE done_at IS NULL ORDER BY id LIMIT 1`,
        );
        // Twice as long after each: 40, 80, 160 ms and so on.
        expect(row?.attempts).toBeGreaterThanOrEqual(3);
        expect(Number(row?.wait_ms)).toBeLessThanOrEqual((40 * 2 ** Number(row?.attempts)) / 2);
        await database.write('d', ...numbered('d', 3));
        await waitUntil(() => receiver.of('d').length === 3);
        receiver[fault] = () => false;
        await waitUntil(() => receiver.of('a').length === 3);
        expect(receiver.of('a')).toEqual([1, 2, 3]);
        await waitUntil(async () => (await waiting()) === 0);
      },
    );

    it('lets an event pass that nobody can read for so long, and goes on with its lane', async () => {
      const receiver = new Taking();
      receiver.unreadable = ({ n }) => n === 2;
      receiver.lets = true;
      const observer = new Observed();
      await database.write('a', ...numbered('a', 3));
      database.relay(receiver, { observer, retryMs: 10, passAfterMs: 3_600_000 }).start();
      await waitUntil(() => observer.refusals.length >= 3);
      expect([receiver.of('a'), observer.passes]).toEqual([[1], []]);
      const { before } = database.dialect;
      await database.query(`UPDATE outbox SET written_at = ${before('written_at', 3_600)}, retry_at = NULL`);
      await waitUntil(() => receiver.of('a').length === 2);
      await waitUntil(async () => (await waiting()) === 0);
      expect(receiver.of('a')).toEqual([1, 3]);
      await waitUntil(() => observer.passes.length === 1);
      expect(observer.passes).toEqual([observer.refusals[0]]);
    });

    it.each([1, 256])(
      'brings again what is too early and what is behind it, %i at a time, and nothing else',
      async (batchSize) => {
        const receiver = new Taking();
        receiver.early = ({ lane, n }) => lane === 'a' && n === 2;
        const observer = new Observed();
        for (const lane of ['a', 'b']) await database.write(lane, ...numbered(lane, 3));
        database.relay(receiver, { observer, batchSize, maxPauseMs: 50 }).start();
        await waitUntil(() => observer.interruptions.length >= 3);
        await waitUntil(async () => (await waiting()) === 2);
        expect(observer.refusals).toEqual([]);
        expect(await database.query('SELECT id FROM outbox WHERE attempts > 0')).toEqual([]);
        receiver.early = () => false;
        await waitUntil(async () => (await waiting()) === 0);
        expect(new Set(receiver.of('a'))).toEqual(new Set([1, 2, 3]));
        expect(receiver.of('a').at(-1)).toBe(3);
        expect(receiver.of('b')).toEqual([1, 2, 3]);
      },
    );

    it('waits for a receiver that is away, refuses nothing for it, and goes on in order', async () => {
      const receiver = new Taking();
      receiver.isAwayNow = true;
      const observer = new Observed();
      database.relay(receiver, { observer, maxPauseMs: 100 }).start();
      for (const lane of ['a', 'b']) await database.write(lane, ...numbered(lane, 5));
      await waitUntil(() => observer.interruptions.length >= 5);
      expect(await waiting()).toBe(10);
      receiver.isAwayNow = false;
      await waitUntil(() => receiver.taken.length === 10);
      expect([receiver.of('a'), receiver.of('b')]).toEqual(
        [numbered('a', 5), numbered('b', 5)].map((l) => l.map(({ n }) => n)),
      );
      expect(new Set(observer.interruptions)).toEqual(new Set(['receiver']));
      expect(observer.refusals).toEqual([]);
    });

    it('loses its lanes with its connection: another takes over at once', async () => {
      const stuck = new Taking();
      let release = () => {};
      let isHolding = false;
      const held = new Promise<void>((resolve) => (release = resolve));
      stuck.before = () => {
        isHolding = true;
        return held;
      };
      const observer = new Observed();
      const dying = database.relay(stuck, { observer, concurrency: 1 });
      await database.write('a', ...numbered('a', 3));
      dying.start();
      await waitUntil(() => isHolding);
      const heir = new Taking();
      database.relay(heir).start();
      await database.write('b', ...numbered('b', 1));
      await waitUntil(() => heir.of('b').length === 1);
      expect(heir.of('a')).toEqual([]);
      await database.breakTransactions();
      await waitUntil(() => heir.of('a').length === 3);
      release();
      await waitUntil(() => observer.interruptions.includes('database'));
      expect(heir.of('a')).toEqual([1, 2, 3]);
    });

    it.each(['a', 'b'])('delivers nothing of who was forgotten, not even what it was about to of %s', async (first) => {
      const receiver = new Taking();
      let release = () => {};
      const held = new Promise<void>((resolve) => (release = resolve));
      receiver.before = () => held;
      if (first === 'a') await database.write('a', ...numbered('a', 2));
      await database.write('b', { lane: 'b', n: 1, ownerId: 'a' }, { lane: 'b', n: 2, subject: 'user:a' });
      if (first === 'b') await database.write('a', ...numbered('a', 2));
      await database.write('b', { lane: 'b', n: 3, subject: 'user:ab' });
      const seen: Numbered[] = [];
      receiver.read = (body) => {
        seen.push(body as Numbered);
        return body as Numbered;
      };
      database.relay(receiver, { batchSize: 1, concurrency: 1 }).start();
      await waitUntil(() => seen.length > 0);
      let isForgotten = false;
      const forgetting = database.forget('a').then((count) => {
        isForgotten = true;
        return count;
      });
      // It waits for the delivery that is under way.
      await waitUntil(() => database.isWaitedFor());
      expect(isForgotten).toBe(false);
      expect(seen).toHaveLength(1);
      release();
      expect(await forgetting).toBe(4);
      await waitUntil(async () => (await waiting()) === 0);
      expect(receiver.of(first)[0]).toBe(1);
      // Only the first event named the erased user.
      expect(seen.slice(1)).toEqual([
        ...(first === 'a' ? [{ lane: 'b', n: 1 }] : []),
        { lane: 'b', n: 3, subject: 'user:ab' },
      ]);
      expect(await events()).toEqual([
        { lane: 'b', n: 1 },
        { lane: 'b', n: 3, subject: 'user:ab' },
      ]);
    });

    it('forgets two at once who name each other, whatever is being delivered', async () => {
      for (let round = 0; round < 10; round += 1) {
        await database.write('a', { lane: 'a', n: 1, ownerId: 'b' }, { lane: 'a', n: 2, subject: 'user:b' });
        await database.write('b', { lane: 'b', n: 1, ownerId: 'a' }, { lane: 'b', n: 2, subject: 'user:a' });
      }
      const receiver = new Taking();
      database.relay(receiver, { batchSize: 1 }).start();
      const counts = await Promise.all([database.forget('a'), database.forget('b')]);
      // Whichever came first took the other's with it.
      expect(counts.sort()).toEqual([10, 40]);
      expect(await events()).toEqual([]);
    });

    it('delivers what waits before it stops, and leaves alone what comes later', async () => {
      const receiver = new Taking();
      const relay = database.relay(receiver, { batchSize: 4 });
      for (const lane of ['a', 'b']) await database.write(lane, ...numbered(lane, 20));
      relay.start();
      await relay.stop(10_000);
      expect(receiver.taken).toHaveLength(40);
      await database.write('a', { lane: 'a', n: 21 });
      relay.wake();
      expect(await waiting()).toBe(1);
    });

    it('stops at once where the receiver is away', async () => {
      const receiver = new Taking();
      receiver.isAwayNow = true;
      const observer = new Observed();
      const relay = database.relay(receiver, { observer, maxPauseMs: 3_600_000 });
      await database.write('a', ...numbered('a', 1));
      relay.start();
      await waitUntil(() => observer.interruptions.length > 0);
      // It does not wait for what it may: that is longer than this suite may take.
      await relay.stop(3_600_000);
      expect(await waiting()).toBe(1);
    });

    it('tells how long each waited, and what waits', async () => {
      const observer = new Observed();
      await database.write('a', ...numbered('a', 2));
      await database.query(`UPDATE outbox SET written_at = ${database.dialect.before('written_at', 90)}`);
      const { waiting: count, oldestS } = await outboxState(database.pool);
      expect(count).toBe(2);
      expect(oldestS).toBeGreaterThan(89);
      database.relay(new Taking(), { observer }).start();
      await waitUntil(() => observer.delays.length === 2);
      for (const delay of observer.delays) expect(delay).toBeGreaterThan(89);
      expect(await outboxState(database.pool)).toEqual({ waiting: 0, oldestS: 0 });
    });

    /** All that are there, as they were written. */
    async function events(): Promise<readonly unknown[]> {
      const bodies: unknown[] = [];
      const log = await OutboxLog.open(database.pool, new Date(0));
      await log.handOver(100, (page) => Promise.resolve(bodies.push(...page.map(({ body }) => body)) > 0));
      return bodies;
    }
  });

  describe(`what the outbox in ${name} keeps`, () => {
    const age = (n: number, days: number) => {
      const { before, n: column } = database.dialect;
      return database.query(
        `UPDATE outbox SET written_at = ${before('written_at', days * 86_400)} WHERE ${column} = ${n}`,
      );
    };
    const kept = async () => {
      const rows = await database.query<{ n: number }>(`SELECT ${database.dialect.n} AS n FROM outbox ORDER BY 1`);
      return rows.map(({ n }) => n);
    };

    it('is what was handed over for as long as wanted, and whatever waits for good', async () => {
      await database.write('a', ...numbered('a', 4));
      await database.query(`UPDATE outbox SET done_at = written_at WHERE ${database.dialect.n} <= 3`);
      await age(1, 8);
      await age(2, 6);
      await age(4, 100);
      expect(await forgetDone(database.pool, 7 * 86_400_000)).toBe(1);
      expect(await kept()).toEqual([2, 3, 4]);
      expect(await forgetDone(database.pool, 7 * 86_400_000)).toBe(0);
    });

    it('forgets more than a batch at once', async () => {
      const { before, utcNow } = database.dialect;
      await database.query(
        `INSERT INTO outbox (lane, event, written_at, done_at)
         WITH RECURSIVE a AS (SELECT 0 AS n UNION ALL SELECT n + 1 FROM a WHERE n < 120)
         SELECT 'a', '{}', ${before(utcNow, 9 * 86_400)}, ${utcNow} FROM a CROSS JOIN a b WHERE a.n * 121 + b.n <= 12000`,
      );
      expect(await forgetDone(database.pool, 7 * 86_400_000)).toBe(12_001);
    });

    it('is read again from a moment on, in the order of its writing, page by page', async () => {
      await database.write('a', ...numbered('a', 30));
      for (let n = 1; n <= 10; n += 1) await age(n, 2);
      const log = await OutboxLog.open(database.pool, new Date(systemClock.now() - 86_400_000));
      // What is written after it was opened is not part of it: the relay hands that over.
      await database.write('a', { lane: 'a', n: 31 });
      const pages: number[][] = [];
      await log.handOver(7, (page) => Promise.resolve(pages.push(page.map(({ body }) => (body as Numbered).n)) > 0));
      expect(log.total).toBe(20);
      expect(pages.map(({ length }) => length)).toEqual([7, 7, 6]);
      expect(pages.flat()).toEqual(
        numbered('a', 30)
          .slice(10)
          .map(({ n }) => n),
      );
    });

    it('is read again up to where who reads it has enough', async () => {
      await database.write('a', ...numbered('a', 5));
      const log = await OutboxLog.open(database.pool, new Date(0));
      let pages = 0;
      await log.handOver(2, () => Promise.resolve(++pages < 2));
      expect(pages).toBe(2);
    });

    it('is forgotten after the page that is being read again, and is in none behind it', async () => {
      await database.write('a', ...numbered('a', 3));
      await database.write('b', ...numbered('b', 1));
      const log = await OutboxLog.open(database.pool, new Date(0));
      const pages: unknown[][] = [];
      let isForgotten = false;
      let forgetting: Promise<unknown> = Promise.resolve();
      await log.handOver(2, async (page) => {
        pages.push(page.map(({ lane }) => lane));
        if (pages.length > 1) return true;
        forgetting = database.forget('a').then(() => (isForgotten = true));
        await waitUntil(() => database.isWaitedFor());
        expect(isForgotten).toBe(false);
        return true;
      });
      await forgetting;
      expect(pages).toEqual([['a', 'a'], ['b']]);
    });
  });
}
