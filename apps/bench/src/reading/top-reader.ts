import { Ledger, Period } from '@laurel/leaderboard';
import { Redis } from 'ioredis';
import { parentPort, workerData } from 'node:worker_threads';

/** The worker's arguments. */
export interface TopReaderData {
  readonly url: string;
  readonly day: string;
}

/** Asked for so many reads, the worker answers with how long each took, in milliseconds. */
async function read(): Promise<void> {
  const { url, day } = workerData as TopReaderData;
  const redis = new Redis(url);
  const ledger = new Ledger(redis, {
    prefix: 'bench',
    boards: [{ name: 'day', period: 'day', retentionMs: 31 * 86_400_000, latenessMs: 3_600_000 }],
  });
  const board = ledger.board('day', Period.parse('day', day, 'UTC'));
  await board.top(10);
  parentPort?.on('message', (count: number) => {
    void (async () => {
      const times = new Float64Array(count);
      for (let i = 0; i < count; i++) {
        const before = performance.now();
        await board.top(10);
        times[i] = performance.now() - before;
      }
      parentPort?.postMessage(times);
    })();
  });
  parentPort?.postMessage('ready');
}

void read();
