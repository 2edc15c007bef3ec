import type { PoolClient } from 'pg';
import { acknowledge, begin, lockLanes, type OutboxQueries, refuse, waitingOf } from './queries';
import type { OutboxEvent } from './outbox-event';
import type { RelayOptions } from './relay-options';
import type { RelayReceiver } from './relay-receiver';

/** The receiver is away; `cause` is what it said. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError';
}

/** An event that could be read. */
interface Readable<T> {
  readonly event: OutboxEvent;
  readonly item: T;
}

interface Refusal {
  readonly event: OutboxEvent;
  readonly error: unknown;
}

/**
 * Takes lanes that nobody holds and delivers the first of what waits in them, in one transaction. Gives whether there
 * were any: then there may be more.
 * @throws DeliveryError where the receiver is away; the database's own errors.
 */
export async function deliverBatch<T>(options: RelayOptions<T>): Promise<boolean> {
  const { pool, receiver, observer, batchSize = 256, retryMs = 1_000, maxRetryMs = 300_000 } = options;
  const batch = await inTransaction(await pool.connect(), async (client) => {
    const held = await lockLanes(client, batchSize);
    if (held.lanes.length === 0) return null;
    // After the locks are held: what others of these lanes delivered before is seen as such.
    const { delivered, refusals } = await handOver(receiver, await waitingOf(client, held, batchSize));
    const delaysS = await acknowledge(client, delivered);
    for (const { event } of refusals) await refuse(client, event.id, { retryMs, maxRetryMs });
    return { delaysS, refusals };
  });
  if (!batch) return false;
  observer.delivered(batch.delaysS);
  for (const { event, error } of batch.refusals) observer.refused(event.id, error);
  return true;
}

async function handOver<T>(receiver: RelayReceiver<T>, events: readonly OutboxEvent[]) {
  const refusals: Refusal[] = [];
  const readable: Readable<T>[] = [];
  const blocked = new Set<string>();
  for (const event of events) {
    if (blocked.has(event.lane)) continue;
    try {
      readable.push({ event, item: receiver.read(event.body) });
    } catch (error) {
      blocked.add(event.lane);
      refusals.push({ event, error });
    }
  }
  const isWhole = await deliver(receiver, readable);
  if (isWhole) return { delivered: readable.map(({ event }) => event.id), refusals };
  // One of them is bad: each lane by itself shows which, and the others are done.
  const results = await Promise.all(byLane(readable).map((ofLane) => oneByOne(receiver, ofLane)));
  return {
    delivered: results.flatMap(({ delivered }) => delivered),
    refusals: [...refusals, ...results.flatMap(({ refusal }) => refusal ?? [])],
  };
}

function byLane<T>(readable: readonly Readable<T>[]): readonly (readonly Readable<T>[])[] {
  const lanes = new Map<string, Readable<T>[]>();
  for (const one of readable) {
    const lane = lanes.get(one.event.lane);
    if (lane) lane.push(one);
    else lanes.set(one.event.lane, [one]);
  }
  return [...lanes.values()];
}

/** Whether all were taken. @throws DeliveryError where the receiver is away. */
async function deliver<T>(receiver: RelayReceiver<T>, readable: readonly Readable<T>[]): Promise<boolean> {
  if (readable.length === 0) return true;
  try {
    await receiver.deliver(readable.map(({ item }) => item));
    return true;
  } catch (error) {
    if (receiver.isAway(error)) throw new DeliveryError('The receiver is away.', { cause: error });
    return false;
  }
}

/** Delivers a lane's events up to the one that is refused. */
async function oneByOne<T>(receiver: RelayReceiver<T>, ofLane: readonly Readable<T>[]) {
  const delivered: string[] = [];
  for (const { event, item } of ofLane) {
    try {
      await receiver.deliver([item]);
      delivered.push(event.id);
    } catch (error) {
      if (receiver.isAway(error)) throw new DeliveryError('The receiver is away.', { cause: error });
      return { delivered, refusal: { event, error } };
    }
  }
  return { delivered };
}

async function inTransaction<R>(client: PoolClient, work: (client: OutboxQueries) => Promise<R>): Promise<R> {
  let broken: Error | undefined;
  // The server may end the session while recording is awaited: unheard, that would end the process.
  const hearBreak = (error: Error) => (broken = error);
  client.on('error', hearBreak);
  try {
    await begin(client);
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch((cause: Error) => (broken = cause));
    throw error;
  } finally {
    client.off('error', hearBreak);
    // A connection that cannot even be rolled back is closed, and its locks with it.
    client.release(broken);
  }
}
