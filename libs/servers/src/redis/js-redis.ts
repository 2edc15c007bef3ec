import { createRedisMock } from 'js-redis-server';

/** A stand-in for Redis, see {@link startJsRedis}. */
export interface JsRedis {
  readonly url: string;
  /** Ends it; what it held is lost. */
  stop(): Promise<void>;
}

/**
 * Starts a server in this process that speaks Redis' protocol and runs its scripts, written in JavaScript: some fifty
 * times slower than Redis, with nothing kept. For a look at the demo where no real server can be had, and nothing else.
 */
export async function startJsRedis(): Promise<JsRedis> {
  const server = await createRedisMock();
  return { url: server.url, stop: () => server.close() };
}
