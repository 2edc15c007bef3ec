import { sendTogether, type Command } from '../../redis/send';
import { behind, runScript, type Argument, type Given, type RedisClient } from '../../redis/run';
import type { Names, Script } from '../../scripts/script';
import { scripts } from '../../scripts/scripts.generated';

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
  /** A member without an update for this long has left. */
  readonly ttlMs: number;
  /** The present moment in ms, asked anew for each call. */
  readonly nowMs: () => number;
}

/** The keys of one board. */
export interface SenderOptions {
  /** The board's sorted sets, one a shard. */
  readonly keys: readonly string[];
  /** On lexical boards: the hashes of member -> vector, one a shard. */
  readonly vectorKeys?: readonly string[] | undefined;
  /** On boards whose members expire. */
  readonly expiring?: ExpiringMembers | undefined;
  /** Awaited before anything is sent; if it rejects, so does the call. */
  readonly ready?: (() => Promise<void>) | undefined;
}

/** How many expired members one script call removes: more would keep other clients of that Redis waiting. */
const maxExpiredACall = 1_000;

/** The script with the removal of expired members before it. */
export const afterSweep = behind(scripts.sweepExpired, { keys: { swept: 'list' }, args: { sweep: 'list' } });

/** Sends a board's commands; on a board whose members expire, without those who have expired. */
export function boardSender(redis: RedisClient, options: SenderOptions): Sender {
  const { expiring, ready } = options;
  const sender: Sender = expiring
    ? sweepingSender(redis, options, expiring)
    : {
        run: (script, keys, args) => runScript(redis, script, keys, args),
        send: (commands) => sendTogether(redis, commands),
      };
  if (!ready) return sender;
  return {
    async run(script, keys, args) {
      await ready();
      return sender.run(script, keys, args);
    },
    async send(commands) {
      await ready();
      return sender.send(commands);
    },
  };
}

/** Removes expired members in the same script call, which is repeated if they are more than 1,000. */
function sweepingSender(redis: RedisClient, { keys, vectorKeys }: SenderOptions, expiring: ExpiringMembers): Sender {
  const shardOf = new Map<string, readonly string[]>();
  keys.forEach((key, i) => {
    const shard = [key, expiring.updateKeys[i] as string, ...(vectorKeys ? [vectorKeys[i] as string] : [])];
    for (const name of shard) shardOf.set(name, shard);
  });
  const { ttlMs, nowMs } = expiring;

  async function run<K extends Names, A extends Names>(
    script: Script<K, A>,
    ownKeys: Given<K, string>,
    ownArgs: Given<A, Argument>,
  ): Promise<unknown> {
    const named = Object.values<string | readonly string[] | undefined>(ownKeys).flat();
    const shards = new Set(named.map((key) => shardOf.get(String(key))).filter((shard) => shard !== undefined));
    const allKeys = { ...ownKeys, swept: [...shards].flat() } as Given<Names, string>;
    const sweep = [vectorKeys ? 3 : 2, shards.size, nowMs() - ttlMs, maxExpiredACall];
    const allArgs = { ...ownArgs, sweep } as Given<Names, Argument>;
    for (;;) {
      const reply = await runScript(redis, afterSweep(script), allKeys, allArgs);
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
