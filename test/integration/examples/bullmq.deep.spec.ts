import { systemClock } from '@laurel/leaderboard';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { freshPrefix, testRedisUrl, waitUntil } from '../../support';
import { StartedApp } from '../packages/support/started-app';

const root = join(__dirname, '../../..');
const isInstalled = existsSync(join(root, 'node_modules/bullmq'));
const why = isInstalled ? '' : ' (skipped: BullMQ is not installed: npm ci --include=peer)';

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
  let app: StartedApp;
  let queue: Queue;

  beforeAll(async () => {
    if (!isInstalled) return;
    const [name, prefix] = [freshPrefix(), freshPrefix()];
    const { Queue } = (await import('bullmq')) as { readonly Queue: QueueClass };
    queue = new Queue(name, { connection: { url: testRedisUrl() } });
    const env = { QUEUE: name, LAUREL_PREFIX: prefix, REDIS_URL: testRedisUrl() };
    app = await StartedApp.start(root, ['tools/run.mjs', 'example', 'bullmq'], env);
  });
  afterAll(async () => {
    if (!isInstalled) return;
    expect(await app.stop()).toBe('SIGTERM');
    await queue.obliterate({ force: true });
    await queue.close();
  });

  (isInstalled ? it : it.skip)(
    `records jobs once however often they come, and keeps what it cannot record${why}`,
    async () => {
      const now = new Date(systemClock.now()).toISOString();
      const event = { userId: 'ann', action: 'praise', subject: 'article:7', occurredAt: now };
      await queue.add('record', { events: [event, { userId: 'ben', action: 'view', subject: '/' }] });
      await queue.add('record', { events: [event] });
      await queue.add('record', { events: [{ ...event, userId: '' }] }, { attempts: 5 });
      await waitUntil(async () => {
        const { completed, failed } = await queue.getJobCounts();
        return completed === 2 && failed === 1;
      });
      const [failed] = await queue.getFailed();
      expect(failed).toMatchObject({ attemptsMade: 1, failedReason: expect.stringContaining('events.0.userId') });
      expect(await app.pointsOfDay()).toEqual({ ann: 2, ben: 1 });
    },
  );
});
