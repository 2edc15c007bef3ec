import type { Redis } from 'ioredis';
// Private: what a process holds while it settles, and where an app has said that it keeps its archive elsewhere.
import { Lease } from '../../libs/activity/src/core/redis/lease';
import { archiveKindKey } from '../../libs/activity/src/settlement/settlement.service';
import { settlingKeys } from '../../libs/activity/src/settlement/settler';

export const settlingKey = settlingKeys.settling;

/** Holds what only one process holds at a time, until it is released: the right to settle, or to import. */
export async function holdSettling(redis: Redis, prefix: string): Promise<Lease> {
  const held = await Lease.take(redis, settlingKey(prefix), 60_000);
  if (!held) throw new Error('Another process settles.');
  return held;
}

/** As an app leaves it whose archive is elsewhere than in Redis. */
export async function keepArchiveElsewhere(redis: Redis, prefix: string): Promise<void> {
  await redis.set(archiveKindKey(prefix), 'app');
}
