import type { RedisClient } from '@laurel/leaderboard';
import { type ClientManner, createClient } from '@laurel/activity/internals';
import type { ConnectionFault } from '../diagnosis/connection-fault';
import { remedyOf } from '../diagnosis/remedies';
import { watchFaults } from '../diagnosis/watch-faults';
import { CommandError } from '../errors/command-error';
import type { CommandContext } from './command-context';
import type { Access } from './access';
import { findTarget, type RedisTarget } from './redis-target';

/** Redis, opened for a command that works on what lies there, whatever the app is configured to find. */
export interface OpenRedis extends RedisTarget {
  readonly client: RedisClient;
  /** Disconnects, and stops the private Redis where the command started it. */
  close(): Promise<void>;
}

/**
 * Connects to the Redis of the environment.
 * @throws CommandError where a variable is bad, or Redis does not answer.
 */
export async function openRedis(context: CommandContext, access: Access): Promise<OpenRedis> {
  const target = await findTarget(context, access);
  const { redis, prefix, name, stop } = target;
  const client = createClient(redis, patient);
  // Each command says by itself what became of it.
  client.on('error', () => undefined);
  const close = async (): Promise<void> => {
    client.disconnect();
    await stop();
  };
  let why: string | null = null;
  let unwatch = (): void => undefined;
  const misnamed = new Promise<never>((_, reject) => {
    const tell = ({ remedy, mayPass }: ConnectionFault): void => {
      why = remedy;
      if (!mayPass) reject(new Error(remedy));
    };
    unwatch = watchFaults(client, tell);
  });
  try {
    await Promise.race([client.exists(`{${prefix}}:layout`), misnamed]);
  } catch (cause) {
    await close();
    const subject = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    why ??= remedyOf(cause);
    const told =
      why === null
        ? 'does not answer: start it, or correct REDIS_URL or REDIS_CLUSTER_NODES'
        : `cannot be used: ${why}`;
    throw new CommandError(`${subject} ${told}.`, { cause });
  } finally {
    unwatch();
  }
  return { ...target, client, close };
}

/** A failover takes some seconds; what is away for longer is away. */
const patient: ClientManner = {
  retryStrategy: (attempt) => (attempt > 30 ? null : Math.min(attempt * 50, 1_000)),
};
