// Private: how often it looks is for these tests alone to choose.
import { holdSettling } from '../../../libs/activity/src/settlement/hold-settling';
import { ownRedis } from '../../support/own-servers';
import { closesMs, day, settlingApp } from './support/settling-app';
import { dayBoard, freshPrefix, testRedis, waitUntil } from '../activity/support';

const morning = `${day}T10:00:00Z`;

describe('work that is done while nobody settles', () => {
  const own = ownRedis();

  it('goes on where Redis stops for longer than settling may: nothing is settled halfway, on no ledger, until it has ended', async () => {
    const prefix = freshPrefix();
    const boards = [dayBoard, { name: 'tokyo', period: 'day', timezone: 'Asia/Tokyo' }] as const;
    const given = { prefix, options: { redis: { url: own.servers.url }, leaderboards: boards } };
    const app = await settlingApp({ ...given, settlement: { everyMs: 20, leaseMs: 200 } });
    const importer = await settlingApp({ ...given, settlement: false });
    const moments = [morning, `${day}T11:00:00Z`] as const;
    await importer.service.whileNobodySettles(async (lost) => {
      await importer.view(moments[0], 'ann');
      importer.clock.set(closesMs - 1);
      app.clock.set(closesMs);
      await own.client.call('CLIENT', 'PAUSE', '700', 'ALL');
      await own.client.ping();
      expect(await app.service.due()).toHaveLength(2);
      expect(await app.service.settleDue()).toBeNull();
      await importer.view(moments[1], 'ann');
      expect(lost.aborted).toBe(false);
    });
    await waitUntil(async () => (await app.service.due()).length === 0);
    const { body } = await app.app.get<{ entries: { score: number }[] }>(`/ranks/day?period=${day}`);
    expect(body.entries).toMatchObject([{ score: moments.length }]);
  });

  const hold = { holdMs: 60_000, renewEveryMs: 20 };

  it('is told to stop, and fails, where another instance may have begun to settle', async () => {
    const key = `{${freshPrefix()}}:settling`;
    const work = async (lost: AbortSignal) => {
      await testRedis().set(key, 'another');
      await waitUntil(() => lost.aborted);
      throw new Error('interrupted');
    };
    await expect(holdSettling(testRedis(), key, work, hold)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('other instances may have begun to settle') as string,
    });
    // What is another's stays so.
    expect(await testRedis().get(key)).toBe('another');
  });

  it('fails also where that was lost which it did not look at', async () => {
    const key = `{${freshPrefix()}}:settling`;
    const work = () => testRedis().set(key, 'another');
    const held = holdSettling(testRedis(), key, work, { ...hold, renewEveryMs: 60_000 });
    await expect(held).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('waits for who is at it for a bounded time, and draws no tokens meanwhile', async () => {
    const key = `{${freshPrefix()}}:settling`;
    await testRedis().set(key, '7');
    const waited = holdSettling(testRedis(), key, () => Promise.resolve(), { ...hold, patienceMs: 500 });
    await expect(waited).rejects.toMatchObject({ code: 'unavailable' });
    expect(await testRedis().exists(`${key}:token`)).toBe(0);
    const stop = new AbortController();
    const stopped = holdSettling(testRedis(), key, () => Promise.resolve(), { ...hold, signal: stop.signal });
    stop.abort();
    await expect(stopped).rejects.toMatchObject({ code: 'unavailable' });
    await testRedis().del(key);
    expect(await holdSettling(testRedis(), key, () => Promise.resolve('done'), hold)).toBe('done');
    expect(await testRedis().exists(key)).toBe(0);
  });
});
