import { Period, type RedisClient } from '@laurel/leaderboard';
import { ManualClock } from './clock';
import type { LawfulLedger, LawfulTransition } from './lawful-ledger';
import { keptBoard, keptLedger, rawBoard } from './ledger';
import { expectFiveOfOneField, limitsOfFive, noonOfLimits, triesOfOneField } from './limits';
import { freshPrefix } from './redis';

const noon = noonOfLimits;
const members = ['ann', 'bob', '{other}', '}{:', 'cho'];

/** What limits let pass of many tries at once over 16 connections; these are closed after the tests. */
export function describeLimitsAtOnce(shards: number, connect: () => RedisClient): void {
  let connections: RedisClient[];
  beforeAll(() => {
    connections = Array.from({ length: 16 }, connect);
  });
  afterAll(() => Promise.all(connections.map((connection) => connection.quit())));

  const open = async (): Promise<LawfulLedger[]> => {
    const boards = [keptBoard('day'), keptBoard('month')];
    const options = { prefix: freshPrefix(), shards, clock: new ManualClock(noon), boards };
    const ledgers = connections.map((redis) => keptLedger(redis, options));
    await ledgers[0]?.prepare();
    return ledgers;
  };

  it(`sliding per field: ${triesOfOneField}`, async () => {
    await expectFiveOfOneField(await open());
  });

  it.each(Object.entries(limitsOfFive))(
    '%s: of 256 tries of each member over 16 connections exactly five are granted, and as many as are freed again',
    async (_, { limits, more, isFreed }) => {
      const ledgers = await open();
      const [first] = ledgers as [LawfulLedger];
      const outcomesOf = async (member: string, from: number) => {
        const results = await Promise.all(
          Array.from({ length: 256 }, (__, i): Promise<[field: string, outcome: string | undefined]> => {
            const field = `p:${from + i}`;
            const occurredAtMs = noon - i;
            const one: LawfulTransition = { kind: 'grant', member, field, points: 2, occurredAtMs, limits, ...more };
            return (ledgers[i % 16] as LawfulLedger).apply([one]).then(([result]) => [field, result?.outcome]);
          }),
        );
        const fieldsOf = (wanted: string) => results.flatMap(([field, outcome]) => (outcome === wanted ? [field] : []));
        return { granted: fieldsOf('granted'), limited: fieldsOf('limited') };
      };
      await Promise.all(
        members.map(async (member) => {
          const { granted, limited } = await outcomesOf(member, 0);
          expect([granted.length, limited.length]).toEqual([5, 251]);
          const revokes = granted.slice(0, 2).map((field): LawfulTransition => {
            return { kind: 'revoke', member, field, points: 2, occurredAtMs: noon + 1, limits };
          });
          expect(await first.apply(revokes)).toMatchObject(revokes.map(() => ({ outcome: 'revoked', points: -2 })));
          expect((await outcomesOf(member, 1000)).granted).toHaveLength(isFreed ? 2 : 0);
        }),
      );
      const today = Period.of('day', new Date(noon), 'UTC');
      const score = isFreed ? 10 : 6;
      expect((await first.board('day', today).top(9)).map((line) => line.score)).toEqual(members.map(() => score));
      const raw = await rawBoard(connections[0] as RedisClient, first, 'day', today);
      expect(raw.map((line) => line.score)).toEqual(members.map(() => score));
    },
  );
}
