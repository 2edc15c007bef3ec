import type { RedisClient } from '@laurel/leaderboard';
import { chunksOf, runScript, runScriptForBytes } from '@laurel/leaderboard/internals';
import { scripts } from '../../scripts/scripts.generated';

/** So many hashes are looked into by one script call: about a tenth of a millisecond of Redis. */
const hashesACall = 64;

/** A field of a hash. */
export interface FieldOf {
  readonly hash: string;
  readonly field: string;
}

/**
 * Reads fields of many hashes, null where there is none: one call for each 64 of them. On a Cluster each is a call: a script
 * that meets a missing hash of a slot on its way to another master would have to wait.
 */
export async function readFields(redis: RedisClient, asked: readonly FieldOf[]): Promise<(Buffer | null)[]> {
  if (redis.isCluster) return Promise.all(asked.map(({ hash, field }) => redis.hgetBuffer(hash, field)));
  const replies = await Promise.all(
    chunksOf(asked, hashesACall).map((chunk) => {
      const keys = { hashes: chunk.map(({ hash }) => hash) };
      return runScriptForBytes(redis, scripts.readFields, keys, { fields: chunk.map(({ field }) => field) });
    }),
  );
  return replies.flat() as (Buffer | null)[];
}

/** How many fields each of many hashes has. As many calls as {@link readFields}. */
export async function countFields(redis: RedisClient, hashes: readonly string[]): Promise<number[]> {
  if (redis.isCluster) return Promise.all(hashes.map((hash) => redis.hlen(hash)));
  const replies = await Promise.all(
    chunksOf(hashes, hashesACall).map((chunk) => runScript(redis, scripts.countFields, { hashes: chunk }, {})),
  );
  return replies.flat() as number[];
}
