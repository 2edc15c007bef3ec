import { Ledger, Period, type Transition } from '@laurel/leaderboard';
import { ManualClock } from '../../support/clock';
import { keptBoard } from '../../support/ledger';
import { closeTestRedis, freshPrefix, testRedis } from '../../support/redis';

afterAll(closeTestRedis);

const noon = Date.parse('2036-11-20T12:00:00Z');
const members = 100_000;
const name = (i: number) => `m${String(i).padStart(6, '0')}`;

const indexOf = (member = '') => Number(member.slice(1));
/** Five who follow one another, from a rank on. */
const numbered = (first: number, rank: number) => [0, 1, 2, 3, 4].map((p) => [name(first + p), rank + p]);

describe.each([1, 8])('the leader of a board of 100,000 on %d shards', (shards) => {
  it('is excluded and included under load, and the ranks of all others are right at every read', async () => {
    const prefix = freshPrefix();
    const open = () =>
      new Ledger(testRedis(), {
        prefix,
        shards,
        boards: [keptBoard('day'), keptBoard('month')],
        ledgerRetentionMs: null,
        clock: new ManualClock(noon + 3_600_000),
      });
    const ledger = open();
    const grant = (i: number, field: string, points: number): Transition => ({
      kind: 'grant',
      member: name(i),
      field,
      points,
      occurredAtMs: noon + i,
    });
    // The first of them leads, and member i stands at place i + 1: all have other points.
    for (let first = 0; first < members; first += 5_000) {
      await ledger.apply(Array.from({ length: 5_000 }, (_, i) => grant(first + i, 'base', 3 * (members - first - i))));
    }
    const today = Period.of('day', new Date(noon), 'UTC');
    const readers = Array.from({ length: 4 }, () => open().board('day', today));
    let isOver = false;
    let reads = 0;
    const seen = new Set<number>();
    const read = async (board: (typeof readers)[number], step: number): Promise<void> => {
      for (let i = 5 + step; !isOver; i = 5 + ((i * 7_919) % (members - 20))) {
        const top = await board.top(5);
        const first = indexOf(top[0]?.member);
        // With or without the leader: one or the other, for all of a page at once.
        expect([0, 1]).toContain(first);
        expect(top.map(({ member, rank }) => [member, rank])).toEqual(numbered(first, 1));
        seen.add(first);
        const rank = await board.rank(name(i));
        expect([i, i + 1]).toContain(rank);
        const around = await board.around(name(i + 2), { radius: 2 });
        expect(around.map(({ member }) => member)).toEqual([0, 1, 2, 3, 4].map((p) => name(i + p)));
        // By offset: on several shards it takes several round trips, and moves come in between.
        const page = await board.page({ offset: i }, 5);
        const shift = indexOf(page.entries[0]?.member) - i;
        expect([0, 1]).toContain(shift);
        expect(page.entries.map(({ member, rank: place }) => [member, place])).toEqual(numbered(i + shift, i + 1));
        // The next page by cursor begins where this one ended, although members moved since.
        const { entries } = await board.after(page.next, 5);
        const place = entries[0]?.rank ?? 0;
        expect([0, 1]).toContain(i + 5 + shift + 1 - place);
        expect(entries.map((entry) => [entry.member, entry.rank])).toEqual(numbered(i + 5 + shift, place));
        reads += 1;
      }
    };
    const write = async (): Promise<void> => {
      // Every member keeps their rank: one point more is not enough to pass another, and the leader goes on earning.
      for (let n = 0; !isOver; n++) {
        const i = (n * 104_729) % members;
        const batch = Array.from({ length: 20 }, (_, b) => grant((i + b) % members, 'load', 1));
        await ledger.apply([...batch, { ...grant(0, `l${n}`, 1) }]);
      }
    };
    const load = Promise.all([...readers.map((board, r) => read(board, r * 997)), write()]);
    let failures = 0;
    load.catch(() => (failures += 1));
    const mover = open();
    // To the end of a pair, so that the leader is back.
    for (let round = 0; round < 40 || round % 2 === 1 || (reads <= 50 && failures === 0); round++) {
      await mover.excluded.move(name(0), round % 2 === 0 ? 'aside' : 'onBoards');
      expect((await ledger.board('day', today).top(1))[0]?.member).toBe(name(round % 2 === 0 ? 1 : 0));
      expect(await ledger.board('day', today).size()).toBe(members - (round % 2 === 0 ? 1 : 0));
    }
    isOver = true;
    await load;
    expect(seen).toEqual(new Set([0, 1]));
    expect(reads).toBeGreaterThan(50);
    expect(await ledger.board('day', today).rank(name(0))).toBe(1);
    expect(await ledger.board('month', Period.of('month', new Date(noon), 'UTC')).size()).toBe(members);
  });
});
