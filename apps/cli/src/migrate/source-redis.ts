import { createClient } from '@laurel/activity/internals';
import type { RedisClient } from '@laurel/leaderboard';
import { textOf } from '@laurel/settings';
import type { CommandContext } from '../application/command-context';
import { CommandError } from '../errors/command-error';
import { reasonOf } from '../errors/system-error';

/** The Redis that is taken over from. */
export interface SourceRedis {
  readonly client: RedisClient;
  readonly name: string;
  close(): void;
}

/**
 * The Redis of `--from` or SOURCE_REDIS_URL; without them the app's own. It is only read.
 * @throws CommandError if it does not answer.
 */
export async function openSource(
  from: string | undefined,
  own: Pick<SourceRedis, 'client' | 'name'>,
  { env }: CommandContext,
): Promise<SourceRedis> {
  const url = from ?? textOf(env, 'SOURCE_REDIS_URL');
  if (url === undefined) return { ...own, close: () => undefined };
  const name = nameOf(url, from === undefined ? 'SOURCE_REDIS_URL' : '--from');
  const client = createClient({ url }, { retryStrategy: (attempt) => (attempt > 5 ? null : 100) });
  client.on('error', () => undefined); // the call under way fails by itself
  try {
    await client.ping();
  } catch (cause) {
    client.disconnect();
    throw new CommandError(`${name} does not answer (${reasonOf(cause)}).`, { cause });
  }
  return { client, name, close: () => client.disconnect() };
}

/** Without the password that it may hold. */
function nameOf(url: string, where: string): string {
  try {
    const { protocol, host, pathname } = new URL(url);
    if (/^(rediss?|unix):$/.test(protocol)) return `Redis at ${host === '' ? pathname : host}`;
  } catch {
    // Said below.
  }
  throw new CommandError(`${where} is no url of a Redis: use redis://host:6379.`);
}
