import { Ledger, Period, RollingBoard } from '@laurel/leaderboard';
import { shardTags } from '@laurel/leaderboard/internals';
import { startRedisCluster, type RedisCluster } from '@laurel/servers';
import clusterKeySlot from 'cluster-key-slot';
import { Cluster } from 'ioredis';
import {
  boardChecksum,
  collegeTimezone,
  collegeTransitions,
  expectedStandings,
  collegeNote,
  hasCollegeMessages,
} from '../support/college-messages';
import { ManualClock } from '../support/clock';
import { keptBoard } from '../support/ledger';
import { freshPrefix } from '../support/redis';

const shards = 16;
const masters = 3;

describe('a ledger on a Redis Cluster', () => {
  let cluster: RedisCluster;
  let redis: Cluster;
  beforeAll(async () => {
    cluster = await startRedisCluster({ masters, replicas: 1 });
    redis = new Cluster([...cluster.nodes], { enableAutoPipelining: false });
  });
  afterAll(async () => {
    await redis.quit();
    await cluster.stop();
  });

  const kinds = ['day', 'week', 'month'] as const;
  const newLedger = (timezone: string) =>
    new Ledger(redis, {
      prefix: freshPrefix(),
      shards,
      timezone,
      boards: kinds.map((kind) => keptBoard(kind)),
      ledgerRetentionMs: null,
    });

  it('lies evenly on the masters: each has five or six of sixteen shards', async () => {
    const owners = shardTags(shards).map((tag) => Math.floor((clusterKeySlot(`{lr:${tag}}:x`) * masters) / 16_384));
    const counts = [0, 1, 2].map((master) => owners.filter((owner) => owner === master).length);
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
  });

  it('sums a rolling window and keeps parts apart as on one server', async () => {
    const noon = Date.parse('2037-11-10T12:00:00Z');
    const clock = new ManualClock(noon);
    const board = { name: 'recent', period: 'day', retentionMs: null, latenessMs: 0, partition: 'team' } as const;
    const prefix = freshPrefix();
    const ledger = new Ledger(redis, { prefix, shards, clock, boards: [board], ledgerRetentionMs: null });
    await ledger.prepare();
    for (const back of [4, 2, 1, 0]) {
      clock.set(noon - back * 86_400_000);
      const grants = Array.from({ length: 120 }, (_, i) => ({
        kind: 'grant' as const,
        member: `user-${i}`,
        field: 'x',
        points: 10 ** back + i,
        occurredAtMs: clock.now(),
        partitions: { team: i % 2 === 0 ? 'even' : 'odd' },
      }));
      await ledger.apply(grants);
    }
    const rolling = new RollingBoard(redis, ledger, { board: 'recent', days: 3, refreshMs: 1_000 });
    const window = Period.of({ kind: 'rolling', days: 3 }, new Date(noon), 'UTC');
    const odd = await rolling.reader(window, 'odd').top(100);
    expect(odd.map(({ member, score }) => [member, score])).toEqual(
      Array.from({ length: 60 }, (_, i) => [`user-${119 - 2 * i}`, 111 + 3 * (119 - 2 * i)]),
    );
    const parts: string[] = [];
    for await (const part of ledger.periods.partitions('recent', Period.of('day', new Date(noon), 'UTC')))
      parts.push(part);
    expect(parts).toEqual(['even', 'odd']);
  });

  it('grants, revokes and reads as on one server', async () => {
    const ledger = newLedger('UTC');
    await ledger.prepare();
    const occurredAtMs = Date.parse('2026-11-10T12:00:00Z');
    const members = Array.from({ length: 60 }, (_, i) => `user-${i}`);
    const grants = members.map((member, i) => ({
      kind: 'grant' as const,
      member,
      field: 'x',
      points: 1 + (i % 30),
      occurredAtMs,
    }));
    expect((await ledger.apply(grants)).every(({ outcome }) => outcome === 'granted')).toBe(true);
    const revokes = grants
      .slice(0, 10)
      .map((grant) => ({ ...grant, kind: 'revoke' as const, occurredAtMs: occurredAtMs + 86_400_000 }));
    expect((await ledger.apply(revokes)).every(({ outcome }) => outcome === 'revoked')).toBe(true);
    const board = ledger.board('day', Period.of('day', new Date(occurredAtMs), 'UTC'));
    expect(await board.size()).toBe(50);
    expect((await board.top(3)).map(({ member, score, rank }) => [member, score, rank])).toEqual([
      ['user-59', 30, 1],
      ['user-29', 30, 2],
      ['user-58', 29, 3],
    ]);
    const window = await board.around('user-10', { radius: 1 });
    expect(window).toHaveLength(3);
    expect(window[1]).toMatchObject({ member: 'user-10', score: 11 });
    expect(window).toEqual(await board.range((window[0]?.rank ?? 0) - 1, 3));
  });

  (hasCollegeMessages ? it : it.skip)(
    `stands as expected in all 229 periods of the real activity, read in pages${collegeNote}`,
    async () => {
      const ledger = newLedger(collegeTimezone);
      const transitions = collegeTransitions();
      for (let i = 0; i < transitions.length; i += 5000) await ledger.apply(transitions.slice(i, i + 5000));
      const { leaderboards } = expectedStandings();
      let compared = 0;
      for (const kind of kinds) {
        for (const [key, expected] of Object.entries(leaderboards[kind])) {
          const board = ledger.board(kind, Period.parse(kind, key, collegeTimezone));
          const lines = [];
          let cursor: string | null = null;
          do {
            const page: Awaited<ReturnType<typeof board.after>> = await board.after(cursor, 500);
            lines.push(
              ...page.entries.map(({ member, score, reachedAt }) => ({
                member,
                score,
                reachedAtMs: reachedAt?.getTime() ?? 0,
              })),
            );
            cursor = page.next;
          } while (cursor !== null);
          expect({ [key]: boardChecksum(lines) }).toEqual({ [key]: expected.sha256 });
          compared += 1;
        }
      }
      expect(compared).toBe(229);
    },
  );
});
