import { closeTestRedis, freshPrefix } from '../../support/redis';
import { waitUntil } from '../../support/wait-until';
import { stopTinyApps } from '../activity/support/tiny-app';
import { closesMs, day, nextClosesMs, nextDay, settlingApp } from './support/settling-app';

afterEach(stopTinyApps);
afterAll(closeTestRedis);

const hang = () => new Promise(() => undefined);

describe('a listener that never comes to an end', () => {
  it('stops neither other periods, nor other instances, nor the end of the app', async () => {
    const prefix = freshPrefix();
    const hanging = await settlingApp({ prefix });
    await hanging.view(`${day}T11:00:00Z`, 'ann');
    hanging.clock.set(closesMs);
    await hanging.view(`${nextDay}T00:30:00Z`, 'bob');
    const asked: string[] = [];
    hanging.on(({ period }) => {
      asked.push(period);
      return hang();
    });
    await waitUntil(() => asked.length > 0);

    // Another instance comes, and another day ends.
    const other = await settlingApp({ prefix, settlement: { everyMs: 86_400_000 } });
    other.clock.set(nextClosesMs);
    // The hanging instance looks every 20 ms: while it has the lease, the other one is told null and asks again.
    let settlement: unknown = null;
    await waitUntil(async () => (settlement = await other.service.settleDue()) !== null);
    expect(settlement).toMatchObject({ settled: [{ period: nextDay }], failed: [] });
    hanging.clock.set(nextClosesMs);
    await waitUntil(() => asked.includes(nextDay));
    const startedAt = performance.now();
    await hanging.app.nest.close();
    expect(performance.now() - startedAt).toBeLessThan(25_000);
  });
});
