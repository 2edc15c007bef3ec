import type { RedisClient } from '@laurel/leaderboard';
import type { Command } from 'ioredis';

/** What Redis and Cluster clients have in common here. */
interface Sending {
  sendCommand(command: Command, ...rest: unknown[]): unknown;
}

/**
 * Calls what is under test, and does `work` by the same client ahead of its round trip number `trip`, from 1: what it
 * sends in one turn of the event loop is one. A call of fewer round trips ends without the work.
 */
export async function withBetween<T>(
  redis: RedisClient,
  { trip, work }: { readonly trip: number; readonly work: () => Promise<unknown> },
  call: () => Promise<T>,
): Promise<T> {
  const client: Sending = redis;
  const send = client.sendCommand.bind(client);
  let trips = 0;
  let isTurn = false;
  let isWorking = false;
  let worked: Promise<void> | undefined;
  const begin = async (): Promise<void> => {
    await new Promise(setImmediate);
    isWorking = true;
    await work();
    isWorking = false;
  };
  const spy = jest.spyOn(client, 'sendCommand').mockImplementation((command, ...rest) => {
    if (isWorking) return send(command, ...rest);
    if (!isTurn) {
      trips++;
      isTurn = true;
      setImmediate(() => (isTurn = false));
    }
    if (trips < trip) return send(command, ...rest);
    worked ??= begin();
    void worked.then(
      () => {
        // Its promise is the caller's.
        send(command, ...rest);
      },
      (error: Error) => command.reject(error),
    );
    return command.promise;
  });
  try {
    return await call();
  } finally {
    // A command of the app's own timers may have begun the work, for which the call does not wait. Of work that fails
    // the commands that waited for it have told.
    await Promise.allSettled([worked]);
    spy.mockRestore();
  }
}
