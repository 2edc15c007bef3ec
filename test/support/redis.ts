import { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';
import { redisUrlVariable } from './shared-servers';

const open: Redis[] = [];

/** Where this run's Redis listens. Only suites of the Jest projects with servers have one. */
export function testRedisUrl(): string {
  const url = process.env[redisUrlVariable];
  if (url === undefined) {
    throw new Error(`${redisUrlVariable} is not set: run this suite with Jest, in a project that has a global setup.`);
  }
  return url;
}

/**
 * A client of this run's Redis. Suites share the server: each test keeps to keys under its own {@link freshPrefix} and
 * nothing is ever flushed. All clients are closed by {@link closeTestRedis}, once a suite: `afterAll(closeTestRedis)`.
 */
export function testRedis(): Redis {
  const client = new Redis(testRedisUrl());
  open.push(client);
  return client;
}

/** A client that writes down the name of every command it sends. */
export class CountingRedis extends Redis {
  readonly names: string[] = [];

  override sendCommand(...[command, ...rest]: Parameters<Redis['sendCommand']>): unknown {
    this.names.push(command.name);
    return super.sendCommand(command, ...rest);
  }

  /** The commands sent meanwhile. */
  async during(work: () => Promise<unknown>): Promise<string[]> {
    this.names.length = 0;
    await work();
    return [...this.names];
  }
}

/** A client as {@link testRedis} gives, connected: what others ask of the same server is not in its count. */
export async function countingRedis(): Promise<CountingRedis> {
  const client = new CountingRedis(testRedisUrl());
  open.push(client);
  await client.ping();
  return client;
}

/** Closes every client that {@link testRedis} or {@link countingRedis} gave to this suite. */
export async function closeTestRedis(): Promise<void> {
  await Promise.all(open.splice(0).map((client) => client.quit()));
}

/** A key prefix nobody used before. */
export function freshPrefix(): string {
  return `t-${randomUUID()}`;
}
