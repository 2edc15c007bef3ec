import { ActivityService, Adjustments, Exclusions, type ActivityModuleOptions } from '@laurel/activity';
import { ActionCounts } from '@laurel/activity/internals';
import { RedisConnection } from '../../../libs/activity/src/redis/redis-connection';
import { ManualClock } from '../../support/clock';
import { closeTestRedis, freshPrefix } from '../../support/redis';
import { stopTinyApps, TinyApp, withKey } from './support/tiny-app';

afterEach(stopTinyApps);
afterAll(closeTestRedis);

const clock = new ManualClock('2036-11-20T08:00:00Z');

const start = async (options: Partial<ActivityModuleOptions> = {}) => {
  clock.set('2036-11-20T08:00:00Z');
  const app = await TinyApp.start({
    options: {
      clock,
      prefix: freshPrefix(),
      retentionMs: { ledger: 31 * 86_400_000 },
      rules: [
        { action: 'view', points: 1, revocable: false },
        { action: 'praise', points: 2, revocable: true, grants: [{ to: 'owner', points: 0 }] },
      ],
      leaderboards: [{ name: 'day', period: 'day' }],
      ...options,
    },
  });
  const service = app.nest.get(ActivityService);
  const countsOf = async (userId: string) => {
    const { body } = await app.get<{ counts?: unknown }>(`/activity/users/${userId}?counts=true`, withKey);
    return body.counts;
  };
  /** Does it at noon of a day. */
  const does = (action: string, date: string, count = 1) => {
    clock.set(`${date}T12:00:00Z`);
    const activities = Array.from({ length: count }, (_, i) => {
      return { userId: 'ann', action, subject: `${action} ${i}`, ownerId: 'bob' };
    });
    return service.record(activities);
  };
  return { app, service, countsOf, does };
};

const none = { actions: {}, received: {} };
const [week, month] = ['2036-W47', '2036-11'];

describe("counts in a user's answer", () => {
  it('are of the week and the month that run, by action, and of what others did to what is the user’s', async () => {
    const { app, countsOf, does } = await start();
    await does('praise', '2036-10-31', 7);
    await does('praise', '2036-11-03', 3);
    await does('view', '2036-11-16', 4);
    await does('view', '2036-11-17', 2);
    await does('praise', '2036-11-20', 1);
    expect(await countsOf('ann')).toEqual({
      week: { period: week, actions: { view: 2, praise: 1 }, received: {} },
      month: { period: month, actions: { view: 6, praise: 4 }, received: {} },
      all: null,
    });
    expect(await countsOf('bob')).toEqual({
      week: { period: week, actions: {}, received: { praise: 1 } },
      month: { period: month, actions: {}, received: { praise: 4 } },
      all: null,
    });
    expect(await countsOf('cho')).toEqual({
      week: { period: week, ...none },
      month: { period: month, ...none },
      all: null,
    });
    const { body } = await app.get<object>('/activity/users/ann', withKey);
    expect(body).not.toHaveProperty('counts');
    const bad = await app.get('/activity/users/ann?counts=1', withKey);
    expect(bad).toMatchObject({ status: 400, body: { errors: [{ path: 'counts' }] } });
  });

  it('have a week that began in the month before', async () => {
    const { countsOf, does } = await start({ weekStart: 'sunday' });
    await does('praise', '2036-11-29', 4);
    await does('praise', '2036-11-30', 1);
    await does('praise', '2036-12-01', 2);
    expect(await countsOf('ann')).toMatchObject({
      week: { actions: { praise: 3 } },
      month: { period: '2036-12', actions: { praise: 2 } },
    });
  });

  it('count what stands: without what was taken back, and without adjustments', async () => {
    const { app, service, countsOf, does } = await start();
    await does('praise', '2036-11-20', 3);
    await service.revoke({ userId: 'ann', action: 'praise', subject: 'praise 0', ownerId: 'bob' });
    await app.nest.get(Adjustments).adjust({ userId: 'ann', points: 5, reason: 'thanks', id: '1' });
    expect(await countsOf('ann')).toMatchObject({ week: { actions: { praise: 2 } } });
    expect(await countsOf('bob')).toMatchObject({ week: { received: { praise: 2 } } });
  });

  it('are null of a month whose first ledgers are gone', async () => {
    const { countsOf, does } = await start({ retentionMs: { ledger: 7 * 86_400_000 } });
    await does('praise', '2036-11-20', 1);
    expect(await countsOf('ann')).toMatchObject({ week: { actions: { praise: 1 } }, month: null });
  });

  it('are of all time where a leaderboard keeps tallies of it, also of an excluded user', async () => {
    const { app, countsOf, does } = await start({
      leaderboards: [
        { name: 'day', period: 'day', tallies: ['given:view'] },
        { name: 'all', period: 'all', tallies: ['given:praise', 'received:praise'] },
      ],
    });
    await does('praise', '2034-01-01', 5);
    await does('view', '2034-01-01', 9);
    await does('praise', '2036-11-20', 2);
    const all = { period: 'all', actions: { praise: 7 }, received: {} };
    expect(await countsOf('ann')).toMatchObject({ week: { actions: { praise: 2 } }, all });
    expect(await countsOf('bob')).toMatchObject({ all: { period: 'all', actions: {}, received: { praise: 7 } } });
    await app.nest.get(Exclusions).exclude('ann');
    expect(await countsOf('ann')).toMatchObject({ all });
    expect(await countsOf('cho')).toMatchObject({ all: { period: 'all', ...none } });
  });

  it('cost a read of each day of the week and the month, and two of each tally of all time', async () => {
    const { app, does } = await start({
      leaderboards: [{ name: 'all', period: 'all', tallies: ['given:praise', 'received:praise'] }],
    });
    await does('praise', '2036-10-31', 1);
    clock.set(new Date(Date.parse('2036-10-31T12:00:00Z') + 1).toISOString());
    const sent = jest.spyOn(app.nest.get(RedisConnection).client, 'sendCommand');
    await app.nest.get(ActionCounts).of('ann');
    const names = sent.mock.calls.map(([command]) => command.name);
    expect(names.filter((name) => name !== 'zmscore')).toHaveLength(31);
    expect(names.filter((name) => name === 'zmscore')).toHaveLength(4);
  });
});
