import { Ledger, Period, type Transition } from '@laurel/leaderboard';
import { startRedisCluster, type RedisCluster } from '@laurel/servers';
import { Cluster } from 'ioredis';
import { ManualClock } from '../support/clock';
import { keptBoard } from '../support/ledger';
import { atMost, expectFiveOfOneField, limitsOfFive, triesOfOneField } from '../support/limits';
import { freshPrefix } from '../support/redis';

const noon = Date.parse('2036-11-20T12:00:00Z');
const members = ['ann', 'bob', '{other}', '}{:', 'cho'];

describe('a limit on a Redis Cluster', () => {
  let cluster: RedisCluster;
  let connections: Cluster[];
  beforeAll(async () => {
    cluster = await startRedisCluster({ masters: 3, replicas: 0 });
    connections = Array.from({ length: 16 }, () => new Cluster([...cluster.nodes], { enableAutoPipelining: false }));
  });
  afterAll(async () => {
    await Promise.all(connections.map((connection) => connection.quit()));
    await cluster.stop();
  });

  const ledgersWith = (prefix: string) =>
    connections.map(
      (redis) =>
        new Ledger(redis, {
          prefix,
          shards: 16,
          clock: new ManualClock(noon),
          boards: [keptBoard('day')],
          ledgerRetentionMs: null,
          limitTypes: [atMost],
        }),
    );

  it(`sliding per field: ${triesOfOneField}`, async () => {
    const ledgers = ledgersWith(freshPrefix());
    await ledgers[0]?.prepare();
    await expectFiveOfOneField(ledgers);
  });

  it.each(Object.entries(limitsOfFive))(
    '%s: of 256 tries of each member over 16 connections exactly five are granted, and as many as are freed again',
    async (_, { limits, more, isFreed }) => {
      const ledgers = ledgersWith(freshPrefix());
      const [first] = ledgers as [Ledger];
      await first.prepare();
      const grantedOf = async (member: string, from: number) => {
        const results = await Promise.all(
          Array.from({ length: 256 }, (__, i): Promise<string[]> => {
            const field = `p:${from + i}`;
            const one: Transition = { kind: 'grant', member, field, points: 2, occurredAtMs: noon, limits, ...more };
            const ledger = ledgers[i % 16] as Ledger;
            return ledger.apply([one]).then(([result]) => (result?.outcome === 'granted' ? [field] : []));
          }),
        );
        return results.flat();
      };
      await Promise.all(
        members.map(async (member) => {
          const granted = await grantedOf(member, 0);
          expect(granted).toHaveLength(5);
          const revokes = granted.slice(0, 2).map((field): Transition => {
            return { kind: 'revoke', member, field, points: 2, occurredAtMs: noon + 1, limits };
          });
          expect((await first.apply(revokes)).map(({ outcome }) => outcome)).toEqual(['revoked', 'revoked']);
          expect(await grantedOf(member, 1000)).toHaveLength(isFreed ? 2 : 0);
        }),
      );
      const board = first.board('day', Period.of('day', new Date(noon), 'UTC'));
      expect((await board.top(9)).map(({ score }) => score)).toEqual(members.map(() => (isFreed ? 10 : 6)));
    },
  );
});
