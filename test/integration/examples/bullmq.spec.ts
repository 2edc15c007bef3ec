import { systemClock } from '@laurel/leaderboard';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freshPrefix, testRedisUrl } from '../../support/redis';
import { waitUntil } from '../../support/wait-until';

const root = join(__dirname, '../../..');
const isInstalled = existsSync(join(root, 'node_modules/bullmq'));
const why = isInstalled ? '' : ' (skipped: BullMQ is not installed: npm ci)';

/** As much of BullMQ as a producer uses. */
interface Queue {
  add(name: string, data: object, options?: object): Promise<{ readonly id?: string }>;
  getJobCounts(): Promise<Record<string, number>>;
  getFailed(): Promise<{ readonly failedReason: string; readonly attemptsMade: number }[]>;
  obliterate(options: { readonly force: boolean }): Promise<void>;
  close(): Promise<void>;
}
type QueueClass = new (name: string, options: { readonly connection: { readonly url: string } }) => Queue;

describe('the example of BullMQ', () => {
  let app: ChildProcess;
  let address: string;
  let queue: Queue;

  beforeAll(async () => {
    if (!isInstalled) return;
    const [name, prefix] = [freshPrefix(), freshPrefix()];
    const { Queue } = (await import('bullmq')) as { readonly Queue: QueueClass };
    queue = new Queue(name, { connection: { url: testRedisUrl() } });
    app = spawn(process.execPath, ['-r', './tools/register-typescript.cjs', 'examples/bullmq/main.ts'], {
      cwd: root,
      env: { PATH: process.env.PATH, PORT: '0', QUEUE: name, LAUREL_PREFIX: prefix, REDIS_URL: testRedisUrl() },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    address = await new Promise((resolve, reject) => {
      createInterface({ input: app.stdout as NonNullable<ChildProcess['stdout']> }).on('line', (line) => {
        const [, found] = /^Listening on (.+)$/.exec(line) ?? [];
        if (found !== undefined) resolve(found);
      });
      app.once('exit', (code) => reject(new Error(`The example ended with ${code} before it listened.`)));
    });
  });
  afterAll(async () => {
    if (!isInstalled) return;
    const ended = once(app, 'exit');
    app.kill('SIGTERM');
    await ended;
    await queue.obliterate({ force: true });
    await queue.close();
  });

  const points = async (): Promise<Record<string, number>> => {
    const page = (await (await fetch(`${address}/ranks/day`)).json()) as {
      readonly entries: readonly { readonly userId: string; readonly score: number }[];
    };
    return Object.fromEntries(page.entries.map(({ userId, score }) => [userId, score]));
  };
  const until = (isThere: () => Promise<boolean>) => waitUntil(isThere);

  (isInstalled ? it : it.skip)(
    `records jobs once however often they come, and keeps what it cannot record${why}`,
    async () => {
      const now = new Date(systemClock.now()).toISOString();
      const event = { userId: 'ann', action: 'praise', subject: 'article:7', occurredAt: now };
      await queue.add('record', { events: [event, { userId: 'ben', action: 'view', subject: '/' }] });
      await queue.add('record', { events: [event] });
      await queue.add('record', { events: [{ ...event, userId: '' }] }, { attempts: 5 });
      await until(async () => {
        const { completed, failed } = await queue.getJobCounts();
        return completed === 2 && failed === 1;
      });
      const [failed] = await queue.getFailed();
      expect(failed).toMatchObject({ attemptsMade: 1, failedReason: expect.stringContaining('events.0.userId') });
      expect(await points()).toEqual({ ann: 2, ben: 1 });
    },
  );
});
