import { Adjustments, ColdLedgersModule, Erasures, Reviews, type Rule } from '@laurel/activity';
import { ColdMover, Ledgers } from '@laurel/activity/internals';
import { SubjectDeletions } from '@laurel/activity/moderation';
import { BoardAudits } from '@laurel/activity/tools';
import { ManualClock } from '../../support/clock';
import { hotLedgers } from '../../support/cold';
import { mentions } from '../../support/mentions';
import { ownRedis } from '../../support/own-servers';
import { freshPrefix } from '../../support/redis';
import { waitUntil } from '../../support/wait-until';
import { stopTinyApps, TinyApp } from './support/tiny-app';

const dayMs = 86_400_000;
/** Ahead, so that nothing expires. */
const noon = Date.parse('2037-02-03T12:00:00Z');

const rules: readonly Rule[] = [
  { action: 'praise', points: 2, revocable: true, grants: [{ to: 'owner', points: 3 }] },
  { action: 'publish', points: 10, revocable: true, once: 'ever', ownSubject: 'count' },
];
const leaderboards = [
  { name: 'day', period: 'day' },
  { name: 'year', period: 'year' },
  { name: 'spring', contest: { from: '2037-02-01', to: '2037-12-31' } },
  { name: 'all', period: 'all' },
  { name: 'double', period: 'all', points: { praise: 7 } },
] as const;

/** It looks at every key of its Redis. */
const own = ownRedis();
const praise = { userId: 'ann', action: 'praise', subject: 'article:7', ownerId: 'bob' };

const start = async () => {
  const clock = new ManualClock(noon);
  const prefix = freshPrefix();
  const redis = { url: own.servers.url };
  const retentionMs = { day: null, year: null, contest: null, all: null };
  const options = { redis, clock, prefix, rules, leaderboards, retentionMs, settlement: false } as const;
  const app = await TinyApp.start({ options, imports: [ColdLedgersModule.forRoot()] });
  const { nest } = app;
  const { service } = app;
  const mover = nest.get(ColdMover);
  const scores = async (userId: string) =>
    Promise.all(['year', 'spring', 'all', 'double'].map((name) => app.score(userId, name)));
  const differences = async () => {
    const found: unknown[] = [];
    const { gaps } = await nest.get(BoardAudits).verify({ onDifference: (one) => found.push(one) });
    return [...found, ...gaps];
  };
  /** What was recorded lies in the cold store then. */
  const wait = async (days: number) => {
    clock.advance(days * dayMs);
    await mover.move();
    for (const ledger of nest.get(Ledgers).all) expect(await hotLedgers(own.client, ledger)).toEqual([]);
  };
  return { nest, app, clock, prefix, service, mover, scores, differences, wait };
};

afterEach(stopTinyApps);

describe('months after they were granted, points', () => {
  it('leave every board that still shows them when they are cancelled, and those of the owner too', async () => {
    const { service, scores, differences, wait } = await start();
    await service.record([praise, { ...praise, subject: 'article:8' }]);
    expect([await scores('ann'), await scores('bob')]).toEqual([
      [4, 4, 4, 14],
      [6, 6, 6, 6],
    ]);
    await wait(150);
    expect(await differences()).toEqual([]);
    expect(await service.revoke(praise)).toMatchObject({ outcome: 'revoked', points: -2 });
    expect([await scores('ann'), await scores('bob')]).toEqual([
      [2, 2, 2, 7],
      [3, 3, 3, 3],
    ]);
    expect(await differences()).toEqual([]);
  });

  it('count once for good, and their cancel of years ago is not forgotten', async () => {
    const { service, scores, differences, wait } = await start();
    const publish = { userId: 'ann', action: 'publish', subject: 'article:7' };
    await service.record(publish);
    await wait(100);
    expect(await service.record(publish)).toMatchObject({ outcome: 'duplicate', points: 0 });
    expect(await service.revoke(publish)).toMatchObject({ outcome: 'revoked', points: -10 });
    expect(await service.record(publish)).toMatchObject({ outcome: 'granted', points: 10 });
    expect(await scores('ann')).toEqual([10, 10, 10, 10]);
    expect(await differences()).toEqual([]);
  });

  it('are voided with what they gave', async () => {
    const { nest, service, scores, differences, wait } = await start();
    await service.record([praise, { ...praise, userId: 'cid' }]);
    await wait(100);
    const reviews = nest.get(Reviews);
    const review = await reviews.hold({
      userId: 'ann',
      reason: 'a puppet',
      from: new Date(noon - dayMs).toISOString(),
    });
    await reviews.void(review.id);
    expect([await scores('ann'), await scores('bob'), await scores('cid')]).toEqual([
      [0, 0, 0, 0],
      [3, 3, 3, 3],
      [2, 2, 2, 7],
    ]);
    expect(await differences()).toEqual([]);
  });

  it('are taken back with their subject', async () => {
    const { nest, service, scores, differences, wait } = await start();
    await service.record([praise, { ...praise, userId: 'cid' }, { ...praise, subject: 'article:8' }]);
    await wait(100);
    const deletions = nest.get(SubjectDeletions);
    const { id } = await deletions.delete('article:7');
    await waitUntil(async () => (await deletions.find(id)).state === 'done');
    expect(await deletions.find(id)).toMatchObject({ taken: { grants: 4, points: 10 } });
    expect([await scores('ann'), await scores('bob'), await scores('cid')]).toEqual([
      [2, 2, 2, 7],
      [3, 3, 3, 3],
      [0, 0, 0, 0],
    ]);
    expect(await differences()).toEqual([]);
  });

  it('are adjusted on their day', async () => {
    const { nest, service, scores, differences, wait } = await start();
    await service.record(praise);
    await wait(100);
    const adjust = { userId: 'ann', points: -1, reason: 'half of it', id: 'a1' };
    await nest.get(Adjustments).adjust(adjust);
    expect(await scores('ann')).toEqual([1, 1, 1, 6]);
    await wait(40);
    await nest.get(Adjustments).adjust(adjust);
    expect(await service.revoke(praise)).toMatchObject({ outcome: 'revoked' });
    expect(await scores('ann')).toEqual([0, 0, 0, 0]);
    expect(await differences()).toEqual([]);
  });

  it('name an erased user nowhere, and stand without the name', async () => {
    const { nest, prefix, service, scores, differences, wait } = await start();
    await service.record([praise, { userId: 'cid', action: 'praise', subject: 'user:ann', ownerId: 'ann' }]);
    await wait(100);
    expect(await mentions(own.client, prefix, 'ann')).not.toEqual([]);
    await nest.get(Erasures).erase('ann');
    expect(await mentions(own.client, prefix, 'ann')).toEqual([]);
    expect([await scores('ann'), await scores('bob'), await scores('cid')]).toEqual([
      [0, 0, 0, 0],
      [3, 3, 3, 3],
      [2, 2, 2, 7],
    ]);
    expect(await differences()).toEqual([]);
    await wait(2);
    expect(await differences()).toEqual([]);
  });
});
