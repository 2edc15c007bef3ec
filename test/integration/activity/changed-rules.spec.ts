import { ActivityService, type LeaderboardConfig, type Rule } from '@laurel/activity';
import { Ledgers } from '@laurel/activity/internals';
import { BoardAudits } from '@laurel/activity/tools';
import { ManualClock } from '../../support/clock';
import { closeTestRedis, freshPrefix } from '../../support/redis';
import { stopTinyApps, TinyApp } from './support/tiny-app';

const day = 86_400_000;
/** Ahead, so that nothing expires. */
const noon = Date.parse('2037-01-20T12:00:00Z');

const leaderboards: readonly LeaderboardConfig[] = [
  { name: 'day', period: 'day' },
  { name: 'all', period: 'all' },
  { name: 'own', period: 'all', points: { answer: 7 } },
];

const answerRule: Rule = { action: 'answer', points: 5, revocable: true, grants: [{ to: 'owner', points: 2 }] };
const answer = { userId: 'ann', action: 'answer', subject: 'question:1', ownerId: 'bob' };

/** An app that starts again with other options, over the same data. */
const history = () => {
  const clock = new ManualClock(noon);
  const prefix = freshPrefix();
  return {
    clock,
    start: async (rule: Partial<Rule>, options: object = {}) => {
      const retentionMs = { day: 400 * day };
      const rules = [
        { ...answerRule, ...rule },
        { action: 'other', points: 1, revocable: true },
      ];
      const app = await TinyApp.start({
        options: {
          clock,
          prefix,
          rules,
          leaderboards,
          settlement: false,
          retentionMs,
          recordTimeoutMs: 60_000,
          ...options,
        },
      });
      const ledgers = app.nest.get(Ledgers);
      const boards = ledgers.leaderboards().map(({ name }) => name);
      const audits = app.nest.get(BoardAudits);
      return {
        audits,
        service: app.nest.get(ActivityService),
        /** By user, the points on every board that has any. */
        standing: async () => {
          const all: Record<string, Record<string, number>> = {};
          for (const name of boards) {
            const one = ledgers.boards(name);
            for (const { member, score } of await one.reader(one.current()).top(10)) {
              (all[member] ??= {})[name] = score;
            }
          }
          return all;
        },
        differences: async () => {
          const found: unknown[] = [];
          await audits.verify({ onDifference: (one) => found.push(one) });
          return found;
        },
      };
    },
  };
};

const withoutGrants: Partial<Rule> = { grants: [] };
const retired: Partial<Rule> = { points: 0, grants: [{ to: 'owner', points: 0 }] };

afterEach(stopTinyApps);
afterAll(closeTestRedis);

describe('what is taken back under other rules than it was given by', () => {
  it.each<[string, Partial<Rule>]>([
    ['gives its subject’s owner nothing any more', withoutGrants],
    ['gives the owner other points', { grants: [{ to: 'owner', points: 9 }] }],
    ['only counts what the owner receives', { grants: [{ to: 'owner', points: 0 }] }],
    ['was retired', retired],
    ['was retired, and gives owners nothing', { ...retired, ...withoutGrants }],
    ['is worth more', { points: 50 }],
    ['counts once for ever', { once: 'ever' }],
    ['counts once a week', { once: { days: 7 } }],
    ['counts each time, by an id', { once: 'each' }],
  ])('is all of it, where the rule %s', async (_, changed) => {
    const { clock, start } = history();
    const before = await start({});
    await before.service.record(answer);
    clock.advance(day);
    await before.service.record([answer, { ...answer, userId: 'cid' }]);
    const after = await start(changed);
    const { outcome, owner } = await after.service.revoke({ ...answer, id: 'answer-1' });
    expect([outcome, owner?.outcome, owner?.points]).toEqual(['revoked', 'revoked', -4]);
    const left = { day: 5, all: 5, own: 7 };
    expect(await after.standing()).toEqual({ cid: left, bob: { day: 2, all: 2, own: 2 } });
    expect(await after.differences()).toEqual([]);
    // Nor does it take anything twice.
    const again = await after.service.revoke([answer, { ...answer, id: 'answer-1' }]);
    expect(again.map(({ points }) => points)).toEqual([0, 0]);
    expect(await after.standing()).toMatchObject({ cid: left });
  });

  it.each<[string, Partial<Rule>]>([
    ['a day', {}],
    ['a week', { once: { days: 7 } }],
    ['for ever', { once: 'ever' }],
  ])('is the id’s own, where it counted each time and counts once %s now', async (_, changed) => {
    const { start } = history();
    const before = await start({ once: 'each' });
    const [one, two] = [
      { ...answer, id: '1' },
      { ...answer, id: '2' },
    ];
    await before.service.record([one, two]);
    const after = await start(changed);
    expect(await after.service.record({ ...answer, id: '3' })).toMatchObject({ outcome: 'granted' });
    expect(await after.service.revoke(one)).toMatchObject({ outcome: 'revoked', points: -5, owner: { points: -2 } });
    expect(await after.standing()).toEqual({
      ann: { day: 10, all: 10, own: 14 },
      bob: { day: 4, all: 4, own: 4 },
    });
    expect(await after.service.revoke([two, { ...answer, id: '3' }])).toMatchObject([{ points: -5 }, { points: -5 }]);
    expect(await after.standing()).toEqual({});
    expect(await after.differences()).toEqual([]);
  });

  it('is the id’s own, where it counted once a day by its subject and counts each time now', async () => {
    const { start } = history();
    const before = await start({});
    await before.service.record({ ...answer, id: '1' });
    const after = await start({ once: 'each' });
    await after.service.record({ ...answer, id: '2' });
    expect(await after.service.revoke({ ...answer, id: '1' })).toMatchObject({ points: -5, owner: { points: -2 } });
    expect(await after.standing()).toMatchObject({ ann: { day: 5 }, bob: { day: 2 } });
    expect(await after.service.revoke({ ...answer, id: '1' })).toMatchObject({ outcome: 'duplicate' });
    expect(await after.service.revoke({ ...answer, id: '2' })).toMatchObject({ points: -5, owner: { points: -2 } });
    expect(await after.standing()).toEqual({});
    expect(await after.differences()).toEqual([]);
  });

  it('is found of an owner whose day is crowded', async () => {
    const { start } = history();
    const before = await start({});
    const givers = Array.from({ length: 150 }, (_, n) => ({ ...answer, userId: `giver-${n}` }));
    await before.service.record(givers);
    const after = await start({ once: 'each' });
    expect(await after.standing()).toMatchObject({ bob: { day: 300 } });
    await after.service.revoke(givers.map((one) => ({ ...one, id: one.userId })));
    expect(await after.standing()).toEqual({});
    expect(await after.differences()).toEqual([]);
  });

  it('is one day’s alone, where each day counted and one in seven does now', async () => {
    const { clock, start } = history();
    const before = await start({});
    for (let n = 0; n < 4; n += 1) {
      await before.service.record(answer);
      clock.advance(day);
    }
    const after = await start({ once: { days: 7 } });
    const second = { ...answer, grantedAt: new Date(noon + day) };
    expect(await after.service.revoke(second)).toMatchObject({ points: -5, owner: { points: -2 } });
    expect(await after.standing()).toEqual({ ann: { all: 15, own: 21 }, bob: { all: 6, own: 6 } });
    expect(await after.differences()).toEqual([]);
  });

  it('is what one’s own subject gave, where it gives nothing any more', async () => {
    const { start } = history();
    const own = { ...answer, ownerId: 'ann' };
    const before = await start({});
    await before.service.record(own);
    const after = await start({ ownSubject: 'ignore' });
    expect(await after.service.record(own)).toMatchObject({ outcome: 'ignored', reason: 'ownSubject' });
    expect(await after.service.revoke(own)).toMatchObject({ outcome: 'revoked', points: -5 });
    expect(await after.standing()).toEqual({});
    expect(await after.service.revoke({ ...own, subject: 'question:2' })).toMatchObject({ outcome: 'notGranted' });
  });

  it('is what still lies on its boards, where the action counts on others now and these were rebuilt', async () => {
    const { start } = history();
    const month: LeaderboardConfig = { name: 'month', period: 'month' };
    const before = await start({}, { leaderboards: [...leaderboards, month] });
    await before.service.record([answer, { ...answer, action: 'other' }]);
    const others = [...leaderboards, { ...month, actions: ['other'] }];
    const after = await start({}, { leaderboards: others, acceptChanges: ['month'] });
    await after.audits.rebuild({ onDifference: () => undefined });
    expect(await after.standing()).toMatchObject({ ann: { day: 6, all: 6, own: 8, month: 1 } });
    await after.service.revoke(answer);
    expect(await after.standing()).toEqual({ ann: { day: 1, all: 1, own: 1, month: 1 } });
    expect(await after.differences()).toEqual([]);
  });
});
