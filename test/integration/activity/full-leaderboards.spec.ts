import { ActivityService, METRICS_REGISTRY, type Rule } from '@laurel/activity';
import { BoardAudits } from '@laurel/activity/tools';
import type { RankPage, RankStanding } from '@laurel/activity/internals';
import type { Registry } from 'prom-client';
import { ManualClock } from '../../support/clock';
import { closeTestRedis } from '../../support/redis';
import { waitUntil } from '../../support/wait-until';
import { stopTinyApps, TinyApp } from './support/tiny-app';

const noon = Date.parse('2037-11-20T12:00:00Z');
const rules: readonly Rule[] = [{ action: 'answer', points: 8, revocable: true, grants: [{ to: 'owner', points: 5 }] }];
const leaderboards = [
  { name: 'day', period: 'day' },
  { name: 'all', period: 'all', maxPoints: 10 },
  { name: 'week', rolling: { days: 7, refreshMs: 100 }, maxPoints: 12 },
] as const;

afterEach(stopTinyApps);
afterAll(closeTestRedis);

describe.each([1, 8])('a leaderboard with maxPoints, on %d shards,', (shards) => {
  const start = async () => {
    const app = await TinyApp.start({ options: { clock: new ManualClock(noon), rules, leaderboards, shards } });
    const service = app.nest.get(ActivityService);
    const page = async (path: string) =>
      (await app.get<RankPage>(path)).body.entries?.map(({ rank, userId, score }) => [rank, userId, score]);
    return { app, service, page };
  };
  const answer = (userId: string, subject: string, ownerId?: string) => ({
    ...{ userId, action: 'answer', subject, ...(ownerId !== undefined && { ownerId }) },
  });

  it('is named when it is full, and refuses nobody their points on others', async () => {
    const { app, service, page } = await start();
    await service.record([answer('ann', '1'), answer('bob', '1', 'cid')]);
    expect(await service.record(answer('ann', '2'))).toMatchObject({
      ...{ outcome: 'granted', points: 8, scores: { day: 16, all: 10, week: 12 } },
      boards: { day: 'counted', all: 'full', week: 'full' },
    });
    await service.record(answer('dan', '2', 'ann'));
    const all = [
      [1, 'ann', 10],
      [2, 'bob', 8],
      [3, 'dan', 8],
      [4, 'cid', 5],
    ];
    expect((await page('/ranks/all'))?.[0]).toEqual(all[0]);
    expect((await page('/ranks/day'))?.[0]).toEqual([1, 'ann', 21]);
    await waitUntil(async () => (await page('/ranks/week'))?.[0]?.[2] === 12);
    expect(await page('/ranks/all?minScore=10')).toEqual([all[0]]);
    const { body } = await app.get<RankStanding>('/ranks/all/users/ann');
    expect(body).toMatchObject({ entry: { rank: 1, score: 10 } });
    const metrics = await app.nest.get<Registry>(METRICS_REGISTRY).metrics();
    expect(metrics).toContain('laurel_refused_activities_total{leaderboard="all",reason="full"} 1');
    const found: unknown[] = [];
    await app.nest.get(BoardAudits).verify({ onDifference: (one) => found.push(one) });
    expect(found).toEqual([]);
    expect(await service.revoke([answer('ann', '2'), answer('ann', '1')])).toMatchObject([
      { outcome: 'revoked', scores: { day: 13, all: 10 }, boards: { all: 'full' } },
      { outcome: 'revoked', scores: { day: 5, all: 5 }, boards: { all: 'counted' } },
    ]);
  });
});
