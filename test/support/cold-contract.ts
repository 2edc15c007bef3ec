import type { ColdLedger, ColdLedgers } from '@laurel/activity/cold';
import { randomUUID } from 'node:crypto';

const cold = (member: string, day: number, digests: readonly number[] = [], text = `${member} ${day}`): ColdLedger => ({
  ...{ member, day, digests },
  body: Buffer.from(text),
});
const hostile = ['a:b', '{x}', '}:cold:y', "o'neill", '\n\0💥', 'ann'];
const sorted = (days: readonly number[][]) => days.map((some) => [...some].sort((a, b) => a - b));

/** What every store of cold ledgers must do; `open` gives the ledgers of a name. */
export function describeColdLedgers(name: string, open: (ledger: string) => ColdLedgers): void {
  describe(`cold ledgers in ${name}`, () => {
    let store: ColdLedgers;
    beforeEach(() => (store = open(`lr-${randomUUID()}`)));

    const everybody = async (of: ColdLedgers): Promise<string[]> => {
      const found = new Set<string>();
      for await (const page of of.members()) for (const member of page) found.add(member);
      return [...found].sort();
    };

    it('are kept, replaced, given in the order asked, and dropped', async () => {
      await store.put([cold('ann', 2), cold('bob', 2), cold('ann', 3)]);
      await store.put([cold('ann', 2, [], 'changed')]);
      const places = [cold('ann', 3), cold('cid', 2), cold('ann', 2), cold('bob', 2), cold('bob', 3)];
      const texts = async () => (await store.get(places)).map((body) => body?.toString() ?? null);
      expect(await texts()).toEqual(['ann 3', null, 'changed', 'bob 2', null]);
      await store.remove([cold('ann', 3), cold('cid', 9)]);
      expect(await texts()).toEqual([null, null, 'changed', 'bob 2', null]);
      expect(await store.removeBefore(2)).toBe(0);
      expect(await store.removeBefore(3)).toBe(2);
      expect(await texts()).toEqual([null, null, null, null, null]);
    });

    it('are found by what they have, and by whose they are', async () => {
      const [one, other, least] = [7, 2_147_483_647, -2_147_483_648];
      await store.put([cold('ann', 1, [one, other]), cold('ann', 2, [least]), cold('ann', 3), cold('bob', 1, [one])]);
      const asked = [
        { member: 'ann' },
        { member: 'ann', digests: [one] },
        { member: 'ann', digests: [least, other] },
        { member: 'ann', digests: [8] },
        { member: 'bob', digests: [one] },
        { member: 'cid' },
      ];
      expect(sorted(await store.days(asked))).toEqual([[1, 2, 3], [1], [1, 2], [], [1], []]);
      await store.put([cold('ann', 1, [least])]);
      expect(sorted(await store.days([{ member: 'ann', digests: [one] }]))).toEqual([[]]);
      expect(await store.days([])).toEqual([]);
    });

    it('are those of one ledger and of one member, whatever they are called', async () => {
      const other = open(`lr-${randomUUID()}`);
      await other.put([cold('ann', 1)]);
      await store.put(hostile.map((member, i) => cold(member, i, [i])));
      expect(await everybody(store)).toEqual([...hostile].sort());
      const bodies = await store.get(hostile.map((member, day) => ({ member, day })));
      expect(bodies.map((body) => body?.toString())).toEqual(hostile.map((member, day) => `${member} ${day}`));
      for (const member of hostile) expect(await store.erase(member)).toBe(1);
      expect(await store.erase('ann')).toBe(0);
      expect([await everybody(store), await everybody(other)]).toEqual([[], ['ann']]);
    });

    it('are given page by page', async () => {
      const many = Array.from({ length: 2_300 }, (_, i) => `m${i}`);
      await store.put(many.map((member) => cold(member, 1)));
      expect(await everybody(store)).toEqual([...many].sort());
    });
  });
}
