import { Ledger } from '@laurel/leaderboard';
import { Redis } from 'ioredis';
import { writeSync } from 'node:fs';
import { RedisArchive } from '../../../../libs/activity/src/settlement/redis/redis-archive';
import { Settler } from '../../../../libs/activity/src/settlement/settler';
import { mortalLedger, leaseMs, type MortalOrders } from './mortal-orders';

/**
 * An instance that settles what is due until nothing is, and kills itself (SIGKILL) at a step: before the n-th command to
 * Redis that it sends as the holder of the lease leaves, or when its answer is there. Says on its output what it did, synchronously: a killed process flushes nothing.
 */
async function live({ url, prefix, shards, dieAt, dieBefore }: MortalOrders): Promise<void> {
  const say = (line: string) => writeSync(1, `${line}\n`);
  const redis = new Redis(url, { lazyConnect: true });
  await redis.connect();
  const notes = new Redis(url);
  const ledger = new Ledger(redis, mortalLedger(prefix, shards));
  const archive = new RedisArchive(redis, { prefix, shards });

  // Steps are the commands of an instance that has the lease.
  let steps = 0;
  let hasLease = false;
  // The listener's own work is one piece: it cannot be told from outside whether it took place.
  let isTelling = false;
  let told = '';
  const die = (): never => {
    say(`died ${told}`);
    process.kill(process.pid, 'SIGKILL');
    // The signal may take a moment: nothing more is done meanwhile.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    throw new Error('It lives on.');
  };
  const send = redis.sendCommand.bind(redis);
  redis.sendCommand = (command, stream) => {
    const key = String(command.args[0]);
    if (command.name === 'set' && key.endsWith(':settling')) say(`lease ${key} ${String(command.args[1])}`);
    if (hasLease && !isTelling) steps += 1;
    const isLast = hasLease && !isTelling && steps === dieAt;
    if (isLast && dieBefore) die();
    const answer = Promise.resolve(send(command, stream));
    if (command.name === 'set' && key.endsWith(':settling')) {
      void answer.then((taken) => (hasLease = taken === 'OK'));
    }
    if (command.name === 'zadd' && key.includes(':settled:')) void answer.then(() => (told = ''));
    if (isLast) void answer.then(die, die);
    return answer;
  };

  const settler = new Settler(ledger, redis, archive, {
    leaseMs,
    winners: 3,
    rulesVersion: () => 1,
    pageSize: 64,
    announce: async (event) => {
      isTelling = true;
      await notes.rpush(`${prefix}:announced`, JSON.stringify(event));
      told = event.id;
      isTelling = false;
    },
  });
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
