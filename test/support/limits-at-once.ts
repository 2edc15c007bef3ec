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
    '%s: of 32 tries of each member over 16 connections the five earliest stand, and as many more as are freed again',
    async (_, { limits, more, isFreed }) => {
      const ledgers = await open();
      const [first] = ledgers as [LawfulLedger];
      const tries = (member: string, from: number) =>
        Promise.all(
          Array.from({ length: 32 }, (__, i) => {
            const occurredAtMs = noon + from - i;
            const field = `p:${from + i}`;
            const one: LawfulTransition = { kind: 'grant', member, field, points: 2, occurredAtMs, limits, ...more };
            return (ledgers[i % 16] as LawfulLedger).apply([one]);
          }),
        );
      const today = Period.of('day', new Date(noon), 'UTC');
      const scores = async () =>
        (await rawBoard(connections[0] as RedisClient, first, 'day', today)).map((line) => line.score);
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
}
