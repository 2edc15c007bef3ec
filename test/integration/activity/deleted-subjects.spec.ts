import { ActivityService, type ActivityChange, type Rule } from '@laurel/activity';
import { SubjectDeletions } from '@laurel/activity/moderation';
import { Ledgers, REDIS_CLIENT, type DeletionReceipt, type RankStanding } from '@laurel/activity/internals';
import { BoardAudits } from '@laurel/activity/tools';
import type { RedisClient } from '@laurel/leaderboard';
import { withBetween } from '../../support/between-trips';
import { ManualClock } from '../../support/clock';
import { mentions } from '../../support/mentions';
import { ownRedis } from '../../support/own-servers';
import { freshPrefix } from '../../support/redis';
import { announceSeed, drawer } from '../../support/seed';
import { waitUntil } from '../../support/wait-until';
import { stopTinyApps, TinyApp, type TinyAppOptions, withKey } from './support/tiny-app';

const day = 86_400_000;
/** Ahead, so that nothing expires. */
const noon = Date.parse('2037-11-20T12:00:00Z');

const rules: readonly Rule[] = [
  { action: 'view', points: 1, revocable: false },
  { action: 'praise', points: 2, revocable: true, grants: [{ to: 'owner', points: 3 }] },
  { action: 'follow', points: 1, revocable: true, grants: [{ to: 'owner', points: 0 }] },
  { action: 'publish', points: 10, revocable: true, ownSubject: 'count' },
];
const leaderboards = [
  { name: 'day', period: 'day' },
  { name: 'month', period: 'month', tallies: ['given:praise', 'received:praise'] },
  { name: 'double', period: 'month', points: { praise: 7 } },
] as const;
const limits = [{ type: 'daily', action: 'view', max: 50 }] as const;

/** A deletion looks at every key of its Redis. */
const own = ownRedis();

const start = async (options: TinyAppOptions['options'] = {}, prefix = freshPrefix()) => {
  const clock = new ManualClock(noon);
  const redis = { url: own.servers.url };
  const shared = {
    redis,
    clock,
    prefix,
    rules,
    leaderboards,
    limits,
    settlement: false,
    latenessMs: 3_600_000,
  } as const;
  const app = await TinyApp.start({ options: { ...shared, ...options } });
  const { nest } = app;
  const service = nest.get(ActivityService);
  const score = async (userId: string, leaderboard = 'month') =>
    (await app.get<RankStanding>(`/ranks/${leaderboard}/users/${userId}`, withKey)).body.entry.score;
  const scores = (userIds: readonly string[]) => Promise.all(userIds.map((userId) => score(userId)));
  const receiptOf = async (id: string) =>
    (await app.get<DeletionReceipt>(`/activity/deletion-receipts/${id}`, withKey)).body;
  /** Asks over HTTP, and waits until it is done. */
  const remove = async (subject: string) => {
    const path = `/activity/subjects/${encodeURIComponent(subject)}`;
    const { status, body } = await app.send<DeletionReceipt>(path, { method: 'DELETE', headers: withKey });
    expect([status, body.subject]).toEqual([202, subject]);
    await waitUntil(async () => (await receiptOf(body.id)).state === 'done');
    return receiptOf(body.id);
  };
  const differences = async () => {
    const found: unknown[] = [];
    await nest.get(BoardAudits).verify({ onDifference: (one) => found.push(one) });
    return found;
  };
  return { app, clock, prefix, service, score, scores, receiptOf, remove, differences };
};

const done = (userId: string, action: string, subject: string, ownerId?: string): ActivityChange => ({
  ...{ userId, action, subject },
  ...(ownerId !== undefined && { ownerId }),
});

beforeAll(announceSeed);
afterEach(stopTinyApps);

describe('deleting a subject', () => {
  it.each([1, 8])('takes back all that it earned, on %i shards, and nothing else', async (shards) => {
    const { app, clock, service, score, scores, remove, differences } = await start({ shards });
    const all = ['ann', 'bob', 'cid', 'dan'];
    const earn = (subject: string) => [
      ...[done('bob', 'publish', subject), done('ann', 'view', subject), done('cid', 'view', subject)],
      ...[done('ann', 'praise', subject, 'bob'), done('cid', 'praise', subject, 'bob')],
    ];
    await service.record([...earn('article:7'), done('dan', 'view', 'article:8')]);
    clock.advance(day);
    const second = earn('article:7').map((one) => ({ ...one, occurredAt: new Date(clock.now()) }));
    await service.record([...second, ...earn('article:70'), done('dan', 'praise', 'article:7', 'bob')]);
    expect(await scores(all)).toEqual([9, 51, 9, 3]);
    clock.advance(1_000);
    const receipt = await remove('article:7');
    expect(receipt).toMatchObject({
      subject: 'article:7',
      state: 'done',
      fault: null,
      taken: { grants: 16, points: 49 },
    });
    const left = [3, 16, 3, 1];
    expect(await scores(all)).toEqual(left);
    expect(await score('ann', 'double')).toBe(8);
    expect(await service.receivedCounts('bob')).toEqual({ praise: 2 });
    expect(await differences()).toEqual([]);
    // Asked for again, delivered again, revoked and rebuilt.
    expect(await remove('article:7')).toMatchObject({ taken: { grants: 0, points: 0 } });
    await service.record(second);
    await service.revoke(done('cid', 'praise', 'article:7', 'bob'));
    await app.nest.get(BoardAudits).rebuild();
    expect(await scores(all)).toEqual(left);
    expect(await differences()).toEqual([]);
  });

  it('finds subjects of whatever spelling, and no other whose spelling is alike', async () => {
    const { service, score, remove } = await start();
    const subjects = [
      ...[
        '7',
        ':7',
        'article:7',
        'xarticle:7',
        'article:07',
        '/articles/7',
        'owner:p:3:ann7',
        '#AH',
        'a*',
        '*',
        '[ab]',
      ],
      ...[
        'an article of 30 bytes, or so',
        `a subject of more than 40 bytes ${'x'.repeat(40)}`,
        'ü'.repeat(256),
        'a\\b',
      ],
    ];
    await service.record(subjects.map((subject) => done('ann', 'praise', subject, 'bob')));
    let left = subjects.length;
    for (const subject of subjects) {
      expect(await remove(subject)).toMatchObject({ taken: { grants: 2, points: 5 } });
      left -= 1;
      expect([await score('ann'), await score('bob')]).toEqual([2 * left, 3 * left]);
    }
  });

  it('names no user once it is done, where the subject is one', async () => {
    const { prefix, service, score, remove } = await start();
    await service.record(done('ann', 'follow', 'user:zoe'));
    expect(await remove('user:zoe')).toMatchObject({ subject: null, taken: { grants: 2, points: 1 } });
    expect(await score('ann')).toBe(0);
    expect((await mentions(own.client, prefix, 'user:zoe')).filter((key) => key.includes('deletions'))).toEqual([]);
  });

  it('leaves final standings', async () => {
    const { clock, service, score, remove, app } = await start();
    clock.set(noon - 2 * day);
    await service.record(done('ann', 'view', 'article:7'));
    clock.set(noon);
    await remove('article:7');
    expect(await score('ann')).toBe(0);
    const before = await app.get<RankStanding>('/ranks/day/users/ann?period=2037-11-18', withKey);
    expect(before.body.entry.score).toBe(1);
  });

  it('is gone on with by another instance where one died', async () => {
    const dying = await start();
    await dying.service.record([done('ann', 'praise', 'article:7', 'bob'), done('cid', 'praise', 'article:7', 'bob')]);
    const redis = dying.app.nest.get<RedisClient>(REDIS_CLIENT);
    let end = (): void => undefined;
    const hang = new Promise<void>((resolve) => (end = resolve));
    let isHanging = false;
    const deletions = dying.app.nest.get(SubjectDeletions);
    const asked = withBetween(redis, { trip: 8, work: () => ((isHanging = true), hang) }, () =>
      deletions.delete('article:7').catch(() => undefined),
    );
    await waitUntil(() => isHanging);
    const other = await start({}, dying.prefix);
    // As Redis does when nobody renews it.
    await own.client.del(`{${dying.prefix}}:deleting`);
    const receipt = await other.remove('article:7');
    expect(receipt).toMatchObject({ state: 'done', taken: { grants: 4, points: 10 } });
    expect(await other.scores(['ann', 'bob', 'cid'])).toEqual([0, 0, 0]);
    expect(await own.client.hlen(`{${dying.prefix}}:deletions`)).toBe(1);
    end();
    await asked;
  });

  it('is finished by another try, wherever one failed', async () => {
    const { app, prefix, service, scores, remove, differences } = await start({ shards: 2 });
    const redis = app.nest.get<RedisClient>(REDIS_CLIENT);
    const deletions = app.nest.get(SubjectDeletions);
    for (let trip = 1; ; trip += 1) {
      const subject = `article:${trip}`;
      await service.record(['ann', 'cid', 'dan'].map((userId) => done(userId, 'praise', subject, 'bob')));
      let wasCut = false;
      const work = (): never => {
        wasCut = true;
        throw new Error('Connection is closed.');
      };
      await withBetween(redis, { trip, work }, () => deletions.delete(subject)).catch(() => undefined);
      // As Redis does when nobody renews it: giving it back may have failed too.
      await own.client.del(`{${prefix}}:deleting`);
      const { taken } = await remove(subject);
      expect(await scores(['ann', 'bob', 'cid', 'dan'])).toEqual([0, 0, 0, 0]);
      if (!wasCut) {
        // By the first call alone.
        expect([trip > 10, taken.grants]).toEqual([true, 0]);
        break;
      }
    }
    expect(await differences()).toEqual([]);
  });

  it.each([1, 8])('equals a model over random histories, on %i shards', async (shards) => {
    const draw = drawer();
    const { app, clock, service, scores, remove, differences } = await start({ shards });
    const users = ['ann', 'bob', 'cid', 'dan'];
    const subjects = [
      'article:1',
      'article:11',
      `article:${'1'.repeat(60)}`,
      '/articles/1',
      'x',
      'a subject of 30 bytes or more',
    ];
    const pick = <T>(items: readonly T[]): T => items[draw(items.length)] as T;
    const ownerOf = (subject: string) => users[subjects.indexOf(subject) % users.length] as string;
    const said: (ActivityChange & { readonly occurredAt: Date })[] = [];
    const points: Readonly<Record<string, number>> = { view: 1, praise: 2, follow: 1, publish: 10 };
    /** By day, user, action and subject, what stands. */
    const stands = new Map<string, ActivityChange>();
    for (let step = 0; step < 300; step += 1) {
      clock.advance(1 + draw(1_200_000));
      const kind = draw(20);
      if (kind < 13 || said.length === 0) {
        const subject = pick(subjects);
        const action = pick(['view', 'praise', 'praise', 'publish']);
        const userId = action === 'publish' ? ownerOf(subject) : pick(users.filter((one) => one !== ownerOf(subject)));
        const owner = action === 'praise' ? ownerOf(subject) : undefined;
        const one = { ...done(userId, action, subject, owner), occurredAt: new Date(clock.now()) };
        said.push(one);
        await service.record(one);
        stands.set([one.occurredAt.toISOString().slice(0, 10), userId, action, subject].join(), one);
      } else if (kind < 16) {
        // Delivered again.
        await service.record(pick(said));
      } else if (kind < 18) {
        const { occurredAt: _, ...one } = pick(said);
        if (one.action === 'view') continue;
        await service.revoke(one);
        for (const [id, other] of stands) {
          if (['userId', 'action', 'subject'].every((name) => other[name as 'userId'] === one[name as 'userId']))
            stands.delete(id);
        }
      } else {
        const subject = pick(subjects);
        const earned = [...stands].filter(([, one]) => one.subject === subject);
        const praised = earned.filter(([, { action }]) => action === 'praise').length;
        const taken = earned.reduce((sum, [, { action }]) => sum + (points[action] ?? 0), 3 * praised);
        expect(await remove(subject)).toMatchObject({ taken: { grants: earned.length + praised, points: taken } });
        for (const [id] of earned) stands.delete(id);
      }
    }
    const expected = (userId: string) =>
      [...stands.values()].reduce(
        (sum, one) => sum + (one.userId === userId ? (points[one.action] ?? 0) : 0) + (one.ownerId === userId ? 3 : 0),
        0,
      );
    expect(await scores(users)).toEqual(users.map(expected));
    expect(await differences()).toEqual([]);
    await app.nest.get(BoardAudits).rebuild();
    expect(await scores(users)).toEqual(users.map(expected));
    expect(app.nest.get(Ledgers).main.shards).toBe(shards);
  });

  it('says what is wrong, and needs the key', async () => {
    const { app } = await start();
    const ask = (path: string, headers: Record<string, string> = withKey) =>
      app.send(`/activity/subjects/${path}`, { method: 'DELETE', headers });
    expect((await ask('article:7', {})).status).toBe(401);
    expect(await ask('x'.repeat(513))).toMatchObject({ status: 400, body: { errors: [{ path: 'subject' }] } });
    expect((await app.get('/activity/deletion-receipts/none', withKey)).status).toBe(404);
  });
});
