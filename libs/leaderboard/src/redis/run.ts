import { createHash } from 'node:crypto';
import { cachedWith } from '../lists/lists';
import type { RedisClient } from './redis-client';
import type { Names, Script } from '../scripts/script';
import { mastersOf } from './scan';
import { served } from './served';

export type { RedisClient };

/** A value for each name of a script's contract, many for a list; what is optional may be left out. */
export type Given<N extends Names, V> = {
  readonly [Name in keyof N as N[Name] extends 'optional' ? never : Name]: N[Name] extends 'list' ? readonly V[] : V;
} & { readonly [Name in keyof N as N[Name] extends 'optional' ? Name : never]?: V | undefined };

/** An argument of a script. */
export type Argument = string | number | Buffer;

/**
 * Runs a script in one round trip, two where the server does not know it yet (new, restarted or failed over).
 * All keys must lie in one slot.
 * @throws LeaderboardError `unavailable` where no master of a Cluster serves the slot.
 */
export async function runScript<K extends Names, A extends Names>(
  redis: RedisClient,
  script: Script<K, A>,
  keys: Given<K, string>,
  args: Given<A, Argument>,
): Promise<unknown> {
  const { key, count, rest } = orderedCall(script, keys, args);
  try {
    return await served(redis, key, () => redis.evalsha(script.sha1, count, ...rest));
  } catch (error) {
    if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
    return served(redis, key, () => redis.eval(script.lua, count, ...rest));
  }
}

/** Makes scripts that run behind another one, whose keys and arguments come last. Each is joined once. */
export function behind(first: Script, own: Pick<Script, 'keys' | 'args'>): (script: Script) => Script {
  const joined = new WeakMap<Script, Script>();
  const join = ({ name, keys, args, lua: last }: Script): Script => {
    const lua = `${first.lua}\n${last}`;
    const sha1 = createHash('sha1').update(lua).digest('hex');
    return { name, keys: { ...keys, ...own.keys }, args: { ...args, ...own.args }, sha1, lua };
  };
  return (script) => cachedWith(joined, script, () => join(script));
}

/** A call as Redis is sent it: its first key, how many keys it has, and all keys and arguments in their order. */
export function orderedCall<K extends Names, A extends Names>(
  script: Script<K, A>,
  keys: Given<K, string>,
  args: Given<A, Argument>,
): { readonly key: string; readonly count: number; readonly rest: readonly Argument[] } {
  const ordered = inOrder(script.keys, keys);
  return { key: ordered[0] as string, count: ordered.length, rest: [...ordered, ...inOrder(script.args, args)] };
}

/** The values by name, in the order of the contract. */
function inOrder<N extends Names, V extends Argument>(names: N, given: Given<N, V>): V[] {
  const byName = given as Readonly<Record<string, V | readonly V[] | undefined>>;
  const ordered: V[] = [];
  for (const name of Object.keys(names)) {
    const value = byName[name];
    if (Array.isArray(value)) for (const one of value as readonly V[]) ordered.push(one);
    else if (value !== undefined) ordered.push(value as V);
  }
  return ordered;
}

/** Loads a script into every server that answers: else two calls may change places, one being sent again. */
export async function loadScript(redis: RedisClient, script: Script): Promise<void> {
  if (!redis.isCluster) await redis.script('LOAD', script.lua);
  else await Promise.allSettled(mastersOf(redis).map((node) => node.script('LOAD', script.lua)));
}
