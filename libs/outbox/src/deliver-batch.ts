import type { OutboxEvent, WaitingEvent } from './outbox-event';
import type { RelayOptions } from './relay-options';
import type { NotYet, RelayReceiver } from './relay-receiver';
import { storeOf } from './store-of';

/** The receiver is away; `cause` is what it said. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError';
}

/** The result of a batch: `isAtWork`: it held lanes, and there may be more. */
export interface Batch {
  readonly isAtWork: boolean;
  /** Why some of it is to come again, where it is. */
  readonly notYet: Error | null;
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

/** The acknowledged events, and the others: the first of each lane to repeat, and why. */
interface Handed {
  readonly delivered: readonly string[];
  readonly refusals: readonly Refusal[];
  readonly again: readonly string[];
  readonly notYet: Error | null;
}

const nothing: Handed = { delivered: [], refusals: [], again: [], notYet: null };

/**
 * Takes lanes that nobody holds and delivers the first of what waits in them, in one transaction.
 * @throws DeliveryError where the receiver is away; the database's own errors.
 */
export async function deliverBatch<T>(options: RelayOptions<T>): Promise<Batch> {
  const { pool, receiver, observer, batchSize = 256, retryMs = 1_000, maxRetryMs = 300_000 } = options;
  const { maxPauseMs = 1_000 } = options;
  const batch = await storeOf(pool).handOver(async (statements) => {
    const waiting = await statements.take(batchSize);
    if (!waiting) return null;
    const { readable, refusals, passed } = readAll(options, waiting);
    const handed = await handOver(receiver, readable);
    const delaysS = await statements.acknowledge(handed.delivered);
    await statements.acknowledge(passed.map(({ event }) => event.id));
    // Those behind them get their turn, and so do other relays, whose receivers may take them.
    await statements.postpone(handed.again, maxPauseMs);
    const refused = [...refusals, ...handed.refusals];
    for (const { event } of refused) await statements.refuse(event.id, { retryMs, maxRetryMs });
    return { delaysS, refused, passed, notYet: handed.notYet };
  });
  if (!batch) return { isAtWork: false, notYet: null };
  observer.delivered(batch.delaysS);
  for (const { event, error } of batch.refused) observer.refused(event.id, error);
  for (const { event, error } of batch.passed) observer.passed(event.id, error);
  // Also if the locked lanes were empty: another relay had just emptied them, and no relay may have seen events written
  // since.
  const isAtWork = batch.notYet === null || batch.delaysS.length + batch.refused.length + batch.passed.length > 0;
  return { isAtWork, notYet: batch.notYet };
}

/** Reads events; a lane's only up to the first that it has to wait for. */
function readAll<T>({ receiver, passAfterMs = 60_000 }: RelayOptions<T>, events: readonly WaitingEvent[]) {
  const readable: Readable<T>[] = [];
  const [refusals, passed]: [Refusal[], Refusal[]] = [[], []];
  const blocked = new Set<string>();
  for (const event of events) {
    if (blocked.has(event.lane)) continue;
    try {
      readable.push({ event, item: receiver.read(event.body) });
    } catch (error) {
      if (event.waitedMs >= passAfterMs && receiver.mayPass(error)) {
        passed.push({ event, error });
        continue;
      }
      blocked.add(event.lane);
      refusals.push({ event, error });
    }
  }
  return { readable, refusals, passed };
}

async function handOver<T>(receiver: RelayReceiver<T>, readable: readonly Readable<T>[]): Promise<Handed> {
  const whole = await deliver(receiver, readable);
  if (whole) return whole;
  // One of them is bad: each lane by itself shows which, and the others are done.
  const lanes = await Promise.allSettled(byLane(readable).map((ofLane) => oneByOne(receiver, ofLane)));
  // Only now: the others were under way, and the locks are of all.
  const results = lanes.map((lane) => {
    if (lane.status === 'rejected') throw lane.reason;
    return lane.value;
  });
  return {
    delivered: results.flatMap(({ delivered }) => delivered),
    refusals: results.flatMap(({ refusals }) => refusals),
    again: results.flatMap(({ again }) => again),
    notYet: results.find(({ notYet }) => notYet !== null)?.notYet ?? null,
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

/** Null where one of them is bad. @throws DeliveryError where the receiver is away. */
async function deliver<T>(receiver: RelayReceiver<T>, readable: readonly Readable<T>[]): Promise<Handed | null> {
  if (readable.length === 0) return nothing;
  try {
    const notYet = await receiver.deliver(readable.map(({ item }) => item));
    return notYet ? withoutEarly(readable, notYet) : { ...nothing, delivered: readable.map(({ event }) => event.id) };
  } catch (error) {
    if (receiver.isAway(error)) throw new DeliveryError('The receiver is away.', { cause: error });
    return null;
  }
}

/** All but those that are to come again, and those behind them. */
function withoutEarly<T>(readable: readonly Readable<T>[], { items, error }: NotYet<T>): Handed {
  const early = new Set(items);
  const again = new Map<string, string>();
  const delivered: string[] = [];
  for (const { event, item } of readable) {
    if (again.has(event.lane)) continue;
    if (early.has(item)) again.set(event.lane, event.id);
    else delivered.push(event.id);
  }
  return { ...nothing, delivered, again: [...again.values()], notYet: error };
}

/** Delivers a lane's events up to the one that is refused or comes again. */
async function oneByOne<T>(receiver: RelayReceiver<T>, ofLane: readonly Readable<T>[]): Promise<Handed> {
  const delivered: string[] = [];
  for (const { event, item } of ofLane) {
    try {
      const notYet = await receiver.deliver([item]);
      if (notYet) return { ...nothing, delivered, again: [event.id], notYet: notYet.error };
      delivered.push(event.id);
    } catch (error) {
      if (receiver.isAway(error)) throw new DeliveryError('The receiver is away.', { cause: error });
      return { ...nothing, delivered, refusals: [{ event, error }] };
    }
  }
  return { ...nothing, delivered };
}
