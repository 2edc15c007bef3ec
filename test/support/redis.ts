import { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { databaseOf, redisUrlVariable } from './shared-servers';

const open: Redis[] = [];

/**
 * This suite's database on the run's Redis. Only suites of the Jest projects with servers have one. A scan of all keys
 * meets those of this suite alone.
 */
export function testRedisUrl(): string {
  const url = process.env[redisUrlVariable];
  if (url === undefined) {
    throw new Error(`${redisUrlVariable} is not set: run this suite with Jest, in a project that has a global setup.`);
  }
  return `${url}/${databaseOf(expect.getState().testPath ?? '')}`;
}

/**
 * A client of this run's Redis. Suites share the server: each test keeps to keys under its
 * own {@link freshPrefix} and nothing is ever flushed. All clients are closed after the suite.
 */
export function testRedis(): Redis {
  const client = new Redis(testRedisUrl());
  open.push(client);
  return client;
}

/**
 * Code that handles a reply sends its next command within this many turns of the event loop, unless it waits for a
 * timer.
 */
const turnsToGoOn = 10;

/** A client that writes down the name of every command it sends. */
export class CountingRedis extends Redis {
  readonly names: string[] = [];
  /** How often it sent something while nothing was under way. */
  rounds = 0;
  private readonly unanswered = new Set<Promise<unknown>>();

  override sendCommand(...[command, ...rest]: Parameters<Redis['sendCommand']>): unknown {
    this.names.push(command.name);
    if (this.unanswered.size === 0) this.rounds += 1;
    const answer: Promise<unknown> = command.promise.then(
      () => this.unanswered.delete(answer),
      () => this.unanswered.delete(answer),
    );
    this.unanswered.add(answer);
    return super.sendCommand(command, ...rest);
  }

  /** Resolves when every command is answered and no answer has led to another one. */
  async whenIdle(): Promise<void> {
    let sent: number;
    do {
      await Promise.all(this.unanswered);
      sent = this.names.length;
      for (let turn = 0; turn < turnsToGoOn; turn += 1) await nextTurn();
    } while (this.names.length > sent);
  }

  /** The commands sent meanwhile. */
  async during(work: () => Promise<unknown>): Promise<string[]> {
    this.names.length = 0;
    await work();
    return [...this.names];
  }

  /** What the scripts and commands sent meanwhile answered; a script may have been new to the server before. */
  async repliesDuring(work: () => Promise<unknown>): Promise<unknown[]> {
    const spies = [jest.spyOn<Redis, 'evalsha'>(this, 'evalsha'), jest.spyOn<Redis, 'call'>(this, 'call')];
    await work();
    const sent = spies.flatMap((spy) => spy.mock.results.map(({ value }) => value as unknown));
    for (const spy of spies) spy.mockRestore();
    const replies = await Promise.allSettled(sent);
    return replies.flatMap((reply): unknown[] => (reply.status === 'fulfilled' ? [reply.value] : []));
  }
}

/** A client as {@link testRedis} gives, connected: what others ask of the same server is not in its count. */
export async function countingRedis(): Promise<CountingRedis> {
  const client = new CountingRedis(testRedisUrl());
  open.push(client);
  await client.ping();
  return client;
}

afterAll(() => Promise.all(open.splice(0).map((client) => client.quit())));

/** A key prefix nobody used before. */
export function freshPrefix(): string {
  return `t-${randomUUID()}`;
}
