import { Exclusions, SettlementService } from '@laurel/activity';
import { Leaderboard, Period, ScoreLayout } from '@laurel/leaderboard';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dayMs, freshPrefix, keysLike, ManualClock, testRedis, TinyApp, withKey } from '../activity/support';

const root = join(__dirname, '../../..');
const startMs = Date.parse('2036-11-17T12:00:00Z');

/** A row's name as a pattern: what stands in angle brackets is any text. */
const patternOf = (name: string) =>
  new RegExp(
    `^${name
      .split(/<[^>]+>/)
      .map((fixed) => fixed.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('[^]+')}$`,
  );

const rows = [...readFileSync(join(root, 'docs/keys.md'), 'utf8').matchAll(/^\| `([^`]+)`/gm)].map(([, name = '']) =>
  patternOf(name),
);

/** The keys that contain a text and that no row describes; there are some more than `atLeast`. */
const undescribed = async (text: string, atLeast: number) => {
  const found = await keysLike(testRedis(), `*${text}*`);
  expect(found.length).toBeGreaterThan(atLeast);
  const names = found.map((key) => key.replace(`{${text}`, '{lr').replace(/^\{lr@[\w-]+/, '{lr'));
  return names.filter((name) => !rows.some((row) => row.test(name)));
};

describe('docs/keys.md', () => {
  it('describes every key of an app that uses everything', async () => {
    const clock = new ManualClock(startMs);
    const prefix = freshPrefix();
    const app = await TinyApp.start({
      options: {
        clock,
        prefix,
        shards: 2,
        retentionMs: { ledger: null },
        firstDays: true,
        rewards: { badges: [{ id: 'b', name: 'B', of: 'points', atLeast: 1 }] },
        limits: [
          { type: 'sliding', action: 'view', max: 1, windowMs: dayMs, per: 'subject' },
          { type: 'daily', action: 'comment', max: 5 },
        ],
        leaderboards: [
          { name: 'day', period: 'day', tallies: ['given:view'] },
          { name: 'all', period: 'all' },
          { name: 'recent', rolling: { days: 7 } },
          { name: 'team', period: 'month', partition: 'team' },
          { name: 'views', period: 'month', points: { view: 3 } },
        ],
      },
    });
    for (let day = 0; day < 3; day++, clock.advance(dayMs)) {
      const occurredAt = new Date(clock.now());
      await app.record(
        ...['ann', 'bob', 'cid'].flatMap((userId) => [
          { userId, action: 'view', subject: 'a', occurredAt, partitions: { team: 'red' } },
          { userId, action: 'comment', subject: 'a', occurredAt },
          { userId, action: 'praise', subject: 'a', ownerId: 'dan', occurredAt },
          { userId, action: 'praise', subject: 'a', ownerId: 'dan', occurredAt, revoke: true },
        ]),
      );
    }
    const adjustment = { userId: 'ann', points: 2, reason: 'thanks', id: 'a1' };
    expect((await app.post('/activity/adjustments', adjustment, withKey)).status).toBe(200);
    await app.nest.get(SettlementService).settleDue();
    await app.get('/ranks/recent');
    await app.get('/activity/users/ann/rewards');
    await app.nest.get(Exclusions).optOut('bob');
    await app.post('/activity/reviews', { userId: 'ann', reason: 'unsure' }, withKey);
    await app.send('/activity/users/cid', { method: 'DELETE', headers: withKey });
    expect(await undescribed(prefix, 40)).toEqual([]);
  });

  it('describes every key of a board that stands alone', async () => {
    const prefix = freshPrefix();
    const of = (name: string, options: Partial<ConstructorParameters<typeof Leaderboard>[1]>) =>
      new Leaderboard(testRedis(), { ...options, key: `${prefix}-${name}` });
    const packed = of('packed', { layout: ScoreLayout.packed({ period: Period.of('day', new Date(startMs), 'UTC') }) });
    const boards = [
      of('plain', { shards: 2 }),
      of('lexical', { layout: ScoreLayout.lexical({ dimensions: ['gold', 'silver'] }) }),
    ] as const;
    await packed.set('ann', 1, new Date(startMs));
    await boards[0].set('ann', 1);
    await boards[1].set('ann', [1, 2]);
    for (const board of [packed, ...boards]) await board.expireAt(new Date(startMs + dayMs));
    expect(await undescribed(prefix, 8)).toEqual([]);
  });
});
