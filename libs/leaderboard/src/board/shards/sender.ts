import { createHash } from 'node:crypto';
import { sendTogether, type Command } from '../../redis/send';
import { runScript, type Argument, type Given, type RedisClient } from '../../redis/run';
import { scripts, type Names, type Script } from '../../scripts/scripts.generated';

/** How the commands and scripts of a board reach Redis: one round trip each. */
export interface Sender {
  run<K extends Names, A extends Names>(
    script: Script<K, A>,
    keys: Given<K, string>,
    args: Given<A, Argument>,
  ): Promise<unknown>;
  send(commands: readonly Command[]): Promise<unknown[]>;
}

/** The members of a board that leave it when they were not updated for too long. */
export interface ExpiringMembers {
  /** Sorted sets of member -> ms of its last update, one a shard. */
  readonly updateKeys: readonly string[];
  /** Who was not updated for so long has left. */
  readonly ttlMs: number;
  /** The present moment in ms, asked anew for each call. */
  readonly nowMs: () => number;
}

/** The keys of one board. */
export interface SenderOptions {
  readonly keys: readonly string[];
  readonly vectorKeys?: readonly string[] | undefined;
  readonly expiring?: ExpiringMembers | undefined;
}

/** How many expired members one script call removes: more would keep other clients of that Redis waiting. */
const maxExpiredACall = 1_000;

/**
 * Sends as it is told, or, of a board whose members expire, so that whatever concerns a shard finds it without those who
 * have expired: they are removed in the same script call, which is repeated where they are more than 1,000.
 */
export function boardSender(redis: RedisClient, { keys, vectorKeys, expiring }: SenderOptions): Sender {
  if (!expiring) {
    return {
      run: (script, ownKeys, args) => runScript(redis, script, ownKeys, args),
      send: (commands) => sendTogether(redis, commands),
    };
  }
  const partOf = new Map<string, readonly string[]>();
  keys.forEach((key, i) => {
    const vectors = vectorKeys?.[i];
    const shard = [key, expiring.updateKeys[i] as string, ...(vectors === undefined ? [] : [vectors])];
    for (const name of shard) partOf.set(name, shard);
  });
  const { ttlMs, nowMs } = expiring;
  const width = vectorKeys ? 3 : 2;

  async function run<K extends Names, A extends Names>(
    script: Script<K, A>,
    ownKeys: Given<K, string>,
    ownArgs: Given<A, Argument>,
  ): Promise<unknown> {
    const named = Object.values<string | readonly string[] | undefined>(ownKeys).flat();
    const shards = new Set(named.map((key) => partOf.get(String(key))).filter((shard) => shard !== undefined));
    const swept = afterSweep(script);
    const allKeys = { ...ownKeys, swept: [...shards].flat() } as Given<Names, string>;
    const sweep = [width, shards.size, nowMs() - ttlMs, maxExpiredACall];
    const allArgs = { ...ownArgs, sweep } as Given<Names, Argument>;
    for (;;) {
      const reply = await runScript(redis, swept, allKeys, allArgs);
      if (reply !== 'MORE') return reply;
    }
  }

  return {
    run,
    // Each on its own, all at once: on a Cluster a call may not span slots.
    send: (commands) =>
      Promise.all(
        commands.map(([name, key, ...args]) =>
          run(scripts.runCommand, { key: String(key) }, { name, arguments: args }),
        ),
      ),
  };
}

const sweeping = new WeakMap<Script, Script>();

/** The script with the removal of expired members before it: its contract, and behind it `swept` and `sweep`. */
export function afterSweep(script: Script): Script {
  let joined = sweeping.get(script);
  if (!joined) {
    const lua = `${scripts.sweepExpired.lua}\n${script.lua}`;
    joined = {
      name: script.name,
      keys: { ...script.keys, swept: 'list' },
      args: { ...script.args, sweep: 'list' },
      sha1: createHash('sha1').update(lua).digest('hex'),
      lua,
    };
    sweeping.set(script, joined);
  }
  return joined;
}
