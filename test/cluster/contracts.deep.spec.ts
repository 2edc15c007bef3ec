import { Period, type TransitionLimit } from '@laurel/leaderboard';
import { Cluster } from 'ioredis';
import { describeErased } from '../support/erased-contract';
import { describeExcluded } from '../support/excluded-contract';
import type { LawfulLedger, LawfulTransition } from '../support/lawful-ledger';
import { leaderboardContract } from '../support/leaderboard-contract';
import { leaderboardPromises } from '../support/leaderboard-promises';
import { leaderboardRaces } from '../support/leaderboard-races';
import { keptBoard, keptLedger, rawBoard } from '../support/ledger';
import { atMost, dailyGrants, dailyPoints, noonOfLimits as noon } from '../support/limits';
import { ownCluster } from '../support/own-servers';
import { freshPrefix, ManualClock } from '../support';

describe('on 16 shards of a Redis Cluster of six nodes', () => {
  const cluster = ownCluster({ masters: 3, replicas: 1 });
  const redis = () => cluster.client;

  leaderboardContract({ redis, shards: 16 });
  leaderboardPromises({ redis, shards: 16 });
  leaderboardRaces({ redis, shards: 16 });

  describe('members who were erased', () => describeErased(16, redis));
  describe('members kept off the boards', () => describeExcluded(16, redis));

  describe('a limit under many tries at once over 16 connections', () => {
    const members = ['ann', '{other}', '}{:'];
    let connections: Cluster[];
    beforeAll(() => {
      const connect = () => new Cluster([...cluster.servers.nodes], { enableAutoPipelining: false });
      connections = Array.from({ length: 16 }, connect);
    });
    afterAll(() => Promise.all(connections.map((connection) => connection.quit())));

    const open = async (): Promise<LawfulLedger[]> => {
      const boards = [keptBoard('day'), keptBoard('month')];
      const options = { prefix: freshPrefix(), shards: 16, clock: new ManualClock(noon), boards };
      const ledgers = connections.map((client) => keptLedger(client, options));
      await ledgers[0]?.prepare();
      return ledgers;
    };

    it('sliding per field: of 32 tries of one field, each on a day of its own, the five earliest stand', async () => {
      const dayMs = 86_400_000;
      const limits: TransitionLimit[] = [
        { type: 'sliding', name: 'often', max: 5, windowMs: 40 * dayMs, per: 'field' },
      ];
      const ledgers = await open();
      await Promise.all(
        Array.from({ length: 32 }, (_, i) => {
          const own = { member: 'ann', field: 'p:1', points: 2, occurredAtMs: noon - i * dayMs };
          return (ledgers[i % 16] as LawfulLedger).apply([{ ...own, kind: 'grant', limits }]);
        }),
      );
      const scores = [31, 30, 29, 28, 27, 26, 0].map(async (daysAgo) => {
        const day = Period.of('day', new Date(noon - daysAgo * dayMs), 'UTC');
        return (await ledgers[0]?.board('day', day).entry('ann'))?.score;
      });
      expect(await Promise.all(scores)).toEqual([2, 2, 2, 2, 2, undefined, undefined]);
    });

    const sliding = { type: 'sliding', max: 5, windowMs: 60_000 } as const;
    it.each<[string, TransitionLimit, isFreed: boolean, more: Partial<LawfulTransition>]>([
      ['sliding per member', { ...sliding, name: 'slow', per: 'member' }, false, {}],
      ['sliding per pair', { ...sliding, name: 'pair', per: 'pair' }, false, { counterpart: 'owner' }],
      ['daily grants', dailyGrants(5), true, {}],
      ['daily points', dailyPoints(10), true, {}],
      ['of one’s own', atMost(5), false, {}],
    ])(
      '%s: of 32 tries of each member the five earliest stand, and as many more as are freed again',
      async (_, limit, isFreed, more) => {
        const [ledgers, limits] = [await open(), [limit]];
        const [first] = ledgers as [LawfulLedger];
        const tries = (member: string, from: number) =>
          Promise.all(
            Array.from({ length: 32 }, (__, i) => {
              const own = { member, field: `p:${from + i}`, points: 2, occurredAtMs: noon + from - i, limits };
              return (ledgers[i % 16] as LawfulLedger).apply([{ ...own, kind: 'grant', ...more }]);
            }),
          );
        const today = Period.of('day', new Date(noon), 'UTC');
        const scores = async () => (await rawBoard(redis(), first, 'day', today)).map((line) => line.score);
        await Promise.all(
          members.map(async (member) => {
            await tries(member, 0);
            const revokes = [31, 30].map((n): LawfulTransition => {
              return { kind: 'revoke', member, field: `p:${n}`, points: 2, occurredAtMs: noon + 1, limits };
            });
            expect(await first.apply(revokes)).toMatchObject(revokes.map(() => ({ outcome: 'revoked', points: -2 })));
          }),
        );
        expect(await scores()).toEqual(members.map(() => 6));
        await Promise.all(members.map((member) => tries(member, 1_000)));
        expect(await scores()).toEqual(members.map(() => (isFreed ? 10 : 6)));
      },
    );
  });
});
