import type { LeaderboardSettledEvent } from '@laurel/activity/settlement';
import { Ledger } from '@laurel/leaderboard';
import { Redis } from 'ioredis';
import { writeSync } from 'node:fs';
import { settlerWith } from '../../../support/settler';
import { mortalLedger, leaseMs, type MortalOrders } from './mortal-orders';

/**
 * An instance that settles all due periods, and kills itself (SIGKILL) at a step: before it sends its n-th command to
 * Redis as the holder of the lease, or at the answer. It writes each step to its output synchronously, as a killed
 * process flushes nothing.
 */
async function live({ url, prefix, shards, dieAt, dieBefore }: MortalOrders): Promise<void> {
  const say = (line: string) => writeSync(1, `${line}\n`);
  const redis = new Redis(url, { lazyConnect: true });
  await redis.connect();
  const notes = new Redis(url);
  const ledger = new Ledger(redis, mortalLedger(prefix, shards));

  // Steps are the commands of an instance that has the lease.
  let steps = 0;
  let hasLease = false;
  // The listener's own work is one piece: it cannot be told from outside whether it took place.
  let telling = 0;
  /** What the listener has done, and is not noted as acknowledged. */
  const told = new Set<string>();
  const die = (): never => {
    say(`died ${[...told].join(',')}`);
    process.kill(process.pid, 'SIGKILL');
    // The signal may take a moment: nothing more is done meanwhile.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    throw new Error('It lives on.');
  };
  const send = redis.sendCommand.bind(redis);
  redis.sendCommand = (command, stream) => {
    const key = String(command.args[0]);
    const isLease = command.name === 'set' && (key.endsWith(':settling') || key.includes(':announcing:'));
    if (isLease) say(`lease ${key} ${String(command.args[1])}`);
    const isStep = hasLease && telling === 0;
    if (isStep) steps += 1;
    const isLast = isStep && steps === dieAt;
    if (isLast && dieBefore) die();
    const answer = Promise.resolve(send(command, stream));
    if (isLease) void answer.then((taken) => (hasLease ||= taken === 'OK'));
    const [, label = null] = /^heard tests (.+)$/.exec(String(command.args[1])) ?? [];
    if (command.name === 'hset' && label !== null) {
      void answer.then(() => told.delete(`${label}:${key.slice(key.lastIndexOf(':') + 1)}`));
    }
    if (isLast) void answer.then(die, die);
    return answer;
  };

  const hear = async (event: LeaderboardSettledEvent) => {
    telling += 1;
    await notes.rpush(`${prefix}:announced`, JSON.stringify(event));
    told.add(event.id);
    telling -= 1;
  };
  const settler = settlerWith(redis, ledger, hear, { leaseMs, pageSize: 64 });
  say('ready');
  await new Promise<void>((resolve) => process.once('message', () => resolve()));
  while ((await settler.due()).length > 0) {
    if (!(await settler.settleDue())) await new Promise((resolve) => setTimeout(resolve, 20));
  }
  say(`done ${steps}`);
  redis.disconnect();
  notes.disconnect();
  process.disconnect();
}

void live(JSON.parse(process.argv[2] ?? '') as MortalOrders);
