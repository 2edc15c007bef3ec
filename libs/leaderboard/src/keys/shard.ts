import clusterKeySlot from 'cluster-key-slot';
import { invalidOption } from '../errors/errors';
import { cached } from '../lists/lists';

/** Redis Cluster's number of hash slots. */
const slots = 16_384;

/** The most shards a board may have: more bring nothing, and every read asks each of them. */
export const maxShards = 1_024;

/** The default number of shards of new data: on a Cluster, some for each of its masters. */
export function defaultShards({ isCluster }: { readonly isCluster: boolean }): number {
  return isCluster ? 16 : 1;
}

/**
 * The shard that holds every key of `member`: FNV-1a over its UTF-16 units, mixed by MurmurHash3's finalizer
 * (https://github.com/aappleby/smhasher), modulo the number of shards. Stored boards depend on it: it never changes.
 */
export function shardOf(member: string, shards: number): number {
  if (shards === 1) return 0;
  let hash = 0x811c9dc5;
  for (let i = 0; i < member.length; i++) {
    const unit = member.charCodeAt(i);
    hash = Math.imul(hash ^ (unit & 0xff), 0x01000193);
    hash = Math.imul(hash ^ (unit >>> 8), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) % shards;
}

const tagsByCount = new Map<number, readonly string[]>();

/**
 * One hash tag a shard, `<shards>-<n>`, chosen so that shard i of n lies in the i-th n-th of the Cluster's slots by its
 * tag alone. Masters own runs of slots, so they get about equal numbers of shards. Only about: keys carry a prefix
 * before the tag, which moves all tags of one length together. On three masters, 8 shards lie at most 4 on one, 16 at
 * most 7; but 3 leave one of three masters without any for half of all prefixes. The count is part of the tag: boards
 * of another count never share a key with these.
 * @throws LeaderboardError `invalidOption` unless `shards` is a whole number from 1 to 1,024.
 */
export function shardTags(shards: number): readonly string[] {
  if (!Number.isInteger(shards) || shards < 1 || shards > maxShards) {
    throw invalidOption(`shards is ${shards}: use a whole number from 1 to ${maxShards}.`);
  }
  return cached(tagsByCount, shards, () => {
    const found = new Array<string | undefined>(shards);
    for (let n = 0, missing = shards; missing > 0; n++) {
      const tag = `${shards}-${n}`;
      const part = Math.floor((clusterKeySlot(tag) * shards) / slots);
      if (found[part] === undefined) {
        found[part] = tag;
        missing--;
      }
    }
    return Object.freeze(found as string[]);
  });
}
