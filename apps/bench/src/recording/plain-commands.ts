import type { Redis } from 'ioredis';
import type { BenchEvent } from './events';

/** Keys of a baseline: beside the boards of ours, in the same shape. */
export function plainKeys(
  prefix: string,
  day: string,
): { day: string; month: string; ledger: (userId: string) => string } {
  return {
    day: `${prefix}:day:${day}`,
    month: `${prefix}:month:${day.slice(0, 7)}`,
    ledger: (userId) => `${prefix}:ledger:${day}:${userId}`,
  };
}

/**
 * The least that could be called recording: three plain commands an event, pipelined. No idempotence (the points are
 * added whether the field was new or not), no order of ties, no expiry.
 */
export async function recordPlainly(
  redis: Redis,
  keys: ReturnType<typeof plainKeys>,
  events: readonly BenchEvent[],
): Promise<void> {
  const pipeline = redis.pipeline();
  for (const { userId, subject, points } of events) {
    pipeline.hsetnx(keys.ledger(userId), subject, '1');
    pipeline.zincrby(keys.day, points, userId);
    pipeline.zincrby(keys.month, points, userId);
  }
  await pipeline.exec();
}

/** The usual way of communities' own code: one command after the other, each awaited. */
export async function recordUsually(
  redis: Redis,
  keys: ReturnType<typeof plainKeys>,
  event: BenchEvent,
): Promise<void> {
  const { userId, subject, points } = event;
  const ledger = keys.ledger(userId);
  if ((await redis.hget(ledger, subject)) !== null) return;
  await redis.hset(ledger, subject, '1');
  await redis.expire(ledger, 31 * 86_400);
  await redis.zincrby(keys.day, points, userId);
  await redis.zincrby(keys.month, points, userId);
  if ((await redis.ttl(keys.day)) === -1) await redis.expire(keys.day, 31 * 86_400);
}
