import { Resharding } from '@laurel/leaderboard';
import { Cluster, Redis } from 'ioredis';

/** What a process that reshards is told at its start. */
export interface ReshardingOrders {
  /** One Redis, or nodes of a Cluster. */
  readonly redis: string | readonly { readonly host: string; readonly port: number }[];
  readonly prefix: string;
  readonly shards: number;
  readonly graceMs: number;
  /** It kills itself before it sends its so manieth command. */
  readonly dieAt: number;
}

/** A process that reshards and kills itself (SIGKILL) at a step. */
async function live({ redis: where, prefix, shards, graceMs, dieAt }: ReshardingOrders): Promise<void> {
  const redis = typeof where === 'string' ? new Redis(where) : new Cluster([...where]);
  let sent = 0;
  const send = redis.sendCommand.bind(redis) as (...args: unknown[]) => unknown;
  const counted = (...args: unknown[]): unknown => {
    sent += 1;
    if (sent >= dieAt) process.kill(process.pid, 'SIGKILL');
    return send(...args);
  };
  Object.assign(redis, { sendCommand: counted });
  const { from, to } = await new Resharding(redis, { prefix, shards, graceMs }).run();
  process.stdout.write(`done ${from} ${to}\n`);
  redis.disconnect();
}

void live(JSON.parse(process.argv.at(-1) ?? '') as ReshardingOrders);
