import { Exclusions, LeaderboardSettledEvent, SettlementService } from '@laurel/activity';
import type { RankHistory, RankPage, RankPeriods, RankStanding } from '@laurel/activity/internals';
import { systemClock } from '@laurel/leaderboard';
import { EventEmitter2 } from '@nestjs/event-emitter';
import { ManualClock } from '../../support/clock';
import { closeTestRedis } from '../../support/redis';
import { stopTinyApps, TinyApp, withKey } from '../activity/support/tiny-app';

afterEach(stopTinyApps);
afterAll(closeTestRedis);

const dayMs = 86_400_000;
const noonMs = Math.floor(systemClock.now() / dayMs) * dayMs + dayMs / 2;
const day = new Date(noonMs).toISOString().slice(0, 10);

describe('a period that is settled while its leader is excluded', () => {
  it.each([2, 40])('names others as winners, and %d days later shows the user where they stood', async (days) => {
    const clock = new ManualClock(noonMs);
    const app = await TinyApp.start({ options: { clock, leaderboards: [{ name: 'day', period: 'day' }] } });
    const points = { ann: 3, bob: 2, cho: 1 };
    const views = Object.entries(points).flatMap(([userId, count]) =>
      Array.from({ length: count }, (_, page) => ({
        userId,
        action: 'view',
        subject: `/${page}`,
        occurredAt: new Date(noonMs),
      })),
    );
    await app.record(...views);
    const exclusions = app.nest.get(Exclusions);
    await exclusions.exclude('ann');
    const settled: LeaderboardSettledEvent[] = [];
    app.nest
      .get(EventEmitter2)
      .on(LeaderboardSettledEvent.eventName, (event: LeaderboardSettledEvent) => settled.push(event));
    clock.advance(dayMs);
    await app.nest.get(SettlementService).settleDue();
    expect(settled).toMatchObject([
      {
        leaderboard: 'day',
        period: day,
        total: 2,
        winners: [
          { userId: 'bob', place: 1, competition: 1, dense: 1 },
          { userId: 'cho', place: 2 },
        ],
      },
    ]);
    clock.advance((days - 1) * dayMs);
    const board = async () =>
      (await app.get<RankPage>(`/ranks/day?period=${day}`)).body.entries.map(({ userId, rank }) => `${rank} ${userId}`);
    const total = async () =>
      (await app.get<RankPeriods>('/ranks/day/periods')).body.periods.find(({ key }) => key === day)?.total;
    const history = async (userId: string) =>
      (await app.get<RankHistory>(`/ranks/day/users/${userId}/history`)).body.entries.map(({ rank }) => rank);
    expect(await board()).toEqual(['1 bob', '2 cho']);
    expect([await total(), await history('bob'), await history('ann')]).toEqual([2, [1], []]);
    const own = await app.get<RankStanding>(`/ranks/day/users/ann?period=${day}`, withKey);
    expect(own.body).toMatchObject({ entry: { rank: null, score: 3 }, excluded: true, total: 2 });
    await exclusions.include('ann');
    expect(await board()).toEqual(['1 ann', '2 bob', '3 cho']);
    expect([await total(), await history('bob'), await history('ann')]).toEqual([3, [2], [1]]);
    await exclusions.exclude('bob');
    expect(await board()).toEqual(['1 ann', '2 cho']);
  });
});
