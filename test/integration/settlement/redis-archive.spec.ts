import type { SettledPeriod } from '@laurel/activity';
import { RedisArchive, type RedisArchiveOptions } from '@laurel/activity/internals';
import { systemClock } from '@laurel/leaderboard';
import { dayFacts, describeArchive, standingsOf } from '../../support/archive-contract';
import { ManualClock } from '../../support/clock';
import { archiveKeys } from '../../support/keys';
import { keysLike } from '../../support/keys-like';
import { mentions } from '../../support/mentions';
import { closeTestRedis, freshPrefix, testRedis } from '../../support/redis';

const dayMs = 86_400_000;
const firstMs = Date.parse('2026-11-01T00:00:00Z');

const redis = testRedis();
afterAll(closeTestRedis);

/** Writes and commits a period of so many users. */
async function commit(archive: RedisArchive, facts: SettledPeriod): Promise<void> {
  const draft = await archive.begin(facts.leaderboard, facts.period, facts.total);
  await draft.append(standingsOf(facts.total));
  await draft.commit(facts);
}

const contractPrefix = freshPrefix();
describeArchive('Redis, on 3 shards', () => new RedisArchive(redis, { prefix: contractPrefix, shards: 3 }));

describe('the archive in Redis', () => {
  it('drops the draft of a writer that died, and refuses it when it comes back', async () => {
    const prefix = freshPrefix();
    const archive = new RedisArchive(redis, { prefix, shards: 4 });
    const facts = dayFacts('day', 0, 1_000);
    const dead = await archive.begin('day', facts.period, 1_000);
    await dead.append(standingsOf(1_000));
    await dead.append([]); // the page before is written by now
    const [draft = ''] = await redis.smembers(archiveKeys.drafts(prefix));
    expect(await keysLike(redis, `{${prefix}:*:archive:${draft}`)).toHaveLength(4);
    await redis.del(archiveKeys.draftLease(prefix, draft)); // as its expiry does

    await (await archive.begin('day', facts.period)).abandon();
    expect(await keysLike(redis, `*${prefix}*archive*`)).toEqual([]);
    await expect(dead.commit(facts)).rejects.toThrow('given up for dead');
    expect(await archive.find('day', facts.period)).toBeNull();
  });

  it('names an erased user in no draft, whether its writer lives or died', async () => {
    const prefix = freshPrefix();
    const archive = new RedisArchive(redis, { prefix, shards: 4 });
    const drafts = archiveKeys.drafts(prefix);
    for (const writer of ['dead', 'alive']) {
      const draft = await archive.begin(writer, '2026-11-01', 1_000);
      await draft.append(standingsOf(1_000, (place) => (place === 3 ? 'ann' : `user-${place}`)));
      await draft.append([]); // the page before is written by now
    }
    const all = await redis.smembers(drafts);
    expect(all).toHaveLength(2);
    await redis.del(archiveKeys.draftLease(prefix, all[0] as string)); // as its expiry does
    expect(await mentions(redis, prefix, 'ann')).toHaveLength(2);
    await archive.erase('ann');
    expect(await mentions(redis, prefix, 'ann')).toEqual([]);
    expect(await redis.smembers(drafts)).toEqual([all[1]]);
  });

  it('leaves a draft whose writer lives', async () => {
    const archive = new RedisArchive(redis, { prefix: freshPrefix(), shards: 2 });
    const facts = dayFacts('day', 0, 10);
    const slow = await archive.begin('day', facts.period, 10);
    await slow.append(standingsOf(10));
    await archive.begin('day', dayFacts('day', 1, 0).period);
    expect(await slow.commit(facts)).toBe(true);
    expect(await archive.page('day', facts.period, 0, 10)).toEqual(standingsOf(10));
  });

  it('keeps periods for as long as it is told', async () => {
    const prefix = freshPrefix();
    const clock = new ManualClock(systemClock.now());
    const retentionMs = 10 * dayMs;
    const archive = new RedisArchive(redis, { prefix, shards: 1, retention: retentionMs, clock });
    const facts = { ...dayFacts('day', 0, 2), startMs: clock.now() - 86_400_000, endMs: clock.now() };
    await commit(archive, facts);
    const [part = ''] = await keysLike(redis, `{${prefix}:*:archive:*`);
    expect(await redis.pexpiretime(part)).toBe(facts.endMs + retentionMs);
    clock.advance(retentionMs - 1);
    expect(await archive.find('day', facts.period)).toEqual(facts);
    clock.advance(1);
    expect(await archive.find('day', facts.period)).toBeNull();
    expect(await archive.periods('day', { limit: 5 })).toEqual([]);
    await (await archive.begin('day', 'another')).abandon();
    expect(await redis.exists(archiveKeys.periods(prefix, 'day'), archiveKeys.order(prefix, 'day'))).toBe(0);
  });

  it('keeps what is settled by default as long as its kind, counted from when it was settled', async () => {
    const prefix = freshPrefix();
    const clock = new ManualClock(systemClock.now());
    const archive = new RedisArchive(redis, { prefix, shards: 1, retention: 'default', clock });
    const day = dayFacts('day', 0, 1);
    const month = { ...dayFacts('month', 0, 1), endMs: day.startMs + 30 * dayMs };
    for (const facts of [day, month]) {
      await commit(archive, facts);
    }
    const expiries = await Promise.all(
      (await keysLike(redis, `{${prefix}:*:archive:*`)).map((key) => redis.pexpiretime(key)),
    );
    const [dayEnds, monthEnds] = [day.settledAtMs + 400 * dayMs, month.settledAtMs + 1_830 * dayMs];
    expect(expiries.sort()).toEqual([dayEnds, monthEnds].sort());
    clock.advance(dayEnds - clock.now() - 1);
    expect(await archive.find('day', day.period)).toEqual(day);
    clock.advance(1);
    expect([await archive.find('day', day.period), await archive.find('month', month.period)]).toEqual([null, month]);
  });

  it('prunes by the retention of today, leaderboard by leaderboard', async () => {
    const prefix = freshPrefix();
    const clock = new ManualClock(firstMs + 20 * dayMs);
    const open = (retention: RedisArchiveOptions['retention']) =>
      new RedisArchive(redis, { prefix, shards: 1, clock, ...(retention !== undefined && { retention }) });
    const boards = ['day', 'day/technology', 'other'];
    for (const board of boards) {
      for (const day of [0, 5, 12]) {
        const facts = dayFacts(board, day, 1);
        await commit(open(null), facts);
      }
    }
    const pruned = await open({ day: 10 * dayMs }).prune({ isDryRun: false });
    expect(pruned.map(({ leaderboard, period }) => `${leaderboard} ${period}`).sort()).toEqual([
      'day 2026-11-01',
      'day 2026-11-06',
      'day/technology 2026-11-01',
      'day/technology 2026-11-06',
    ]);
    const kept = await Promise.all(boards.map((board) => open(null).periods(board, { limit: 5 })));
    expect(kept.map((periods) => periods.length)).toEqual([1, 1, 3]);
  });

  it('reads, hides and erases past a period that the order names and nothing is known of', async () => {
    const prefix = freshPrefix();
    const archive = new RedisArchive(redis, { prefix, shards: 1 });
    for (let day = 0; day < 130; day++) {
      const facts = dayFacts('day', day, 1);
      await commit(archive, facts);
    }
    await redis.hdel(archiveKeys.periods(prefix, 'day'), dayFacts('day', 128, 1).period);
    const oldest = dayFacts('day', 0, 1);
    expect(await archive.periods('day', { limit: 2 })).toEqual([dayFacts('day', 129, 1), dayFacts('day', 127, 1)]);
    expect(await archive.periods('day', { limit: 200 })).toHaveLength(129);
    expect(await archive.history('day', 'user-1', { limit: 200 })).toHaveLength(129);
    await archive.hide('user-1', true);
    expect(await archive.hidden('day', oldest.period)).toMatchObject([{ place: 1, userId: 'user-1' }]);
    expect(await archive.erase('user-1')).toBe(129);
    expect(await archive.hidden('day', oldest.period)).toMatchObject([{ place: 1, userId: null }]);
  });

  it('gives a draft up where users are hidden again and again while it is committed, and takes the next', async () => {
    const prefix = freshPrefix();
    const archive = new RedisArchive(redis, { prefix, shards: 1 });
    const facts = dayFacts('day', 0, 1);
    await archive.hide('user-1', true);
    const write = async () => {
      const draft = await archive.begin('day', facts.period);
      await draft.append(standingsOf(1));
      return draft.commit(facts);
    };
    let looks = 0;
    const look = jest.spyOn(redis, 'smembers').mockImplementation(async () => {
      looks += 1;
      if (looks > 1_000) throw new Error('It never ends.');
      await redis.incr(archiveKeys.hiddenVersion(prefix));
      return ['user-1'];
    });
    await expect(write()).rejects.toThrow('hidden and shown again and again');
    expect(looks).toBeLessThan(50);
    look.mockRestore();
    const left = await redis.smembers(archiveKeys.drafts(prefix));
    expect(left).toEqual([]);
    expect(await write()).toBe(true);
  });

  it('takes less than 60 bytes an entry', async () => {
    const prefix = freshPrefix();
    const archive = new RedisArchive(redis, { prefix, shards: 1 });
    const count = 20_000;
    const draft = await archive.begin('day', '2026-11-01', count);
    const entries = standingsOf(count);
    for (let i = 0; i < count; i += 1_000) await draft.append(entries.slice(i, i + 1_000));
    await draft.commit(dayFacts('day', 0, count));
    const [part = ''] = await keysLike(redis, `{${prefix}:*:archive:*`);
    const bytes = Number(await redis.call('MEMORY', 'USAGE', part, 'SAMPLES', '0'));
    expect(bytes / count).toBeLessThan(60);
  });
});
