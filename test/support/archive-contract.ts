import type { ArchivedEntry, SettledPeriod, StandingsArchive } from '@laurel/activity';
import type { Ranking } from '@laurel/leaderboard';
import { rankings } from '@laurel/leaderboard/internals';
// Private: what reads an archive for the module, which every archive must suit.
import { ArchivedStandings } from '../../libs/activity/src/settlement/archive/archived-standings';
import { randomUUID } from 'node:crypto';
import { dayMs } from './clock';

const firstMs = Date.parse('2026-11-01T00:00:00Z');

/** Standings of so many users, two to a score; hostile names among them. */
export function standingsOf(count: number, nameOf: (place: number) => string = (place) => `user-${place}`) {
  return Array.from({ length: count }, (_, i): ArchivedEntry => {
    const place = i + 1;
    const pair = Math.floor(i / 2);
    return {
      place,
      competition: pair * 2 + 1,
      dense: pair + 1,
      userId: nameOf(place),
      score: 1_000_000 - pair,
      reachedAtMs: place % 7 === 0 ? null : firstMs + place,
    };
  });
}

/** What is known of the n-th day, from 0. */
export function dayFacts(leaderboard: string, day: number, total: number): SettledPeriod {
  const startMs = firstMs + day * dayMs;
  return {
    leaderboard,
    period: new Date(startMs).toISOString().slice(0, 10),
    startMs,
    endMs: startMs + dayMs,
    settledAtMs: startMs + dayMs + 3_600_000,
    total,
    checksum: day.toString(16).padStart(64, '0'),
    tieRule: 'first come, first',
    rulesVersion: 3,
  };
}

async function write(archive: StandingsArchive, facts: SettledPeriod, entries: readonly ArchivedEntry[], page = 100) {
  const draft = await archive.begin(facts.leaderboard, facts.period);
  for (let i = 0; i < entries.length; i += page) await draft.append(entries.slice(i, i + page));
  return draft.commit(facts);
}

/**
 * What every archive of standings must do.
 * @param open gives an archive; all it gives lie on the same store.
 */
export function describeArchive(name: string, open: () => StandingsArchive): void {
  describe(`the archive in ${name}`, () => {
    const leaderboard = () => `board-${randomUUID()}`;

    it.each([0, 1, 127, 128, 129, 1_000])('gives back %d entries, page by page, in any page size', async (count) => {
      const archive = open();
      const facts = dayFacts(leaderboard(), 0, count);
      const entries = standingsOf(count);
      expect(await write(archive, facts, entries, 77)).toBe(true);
      expect(await archive.find(facts.leaderboard, facts.period)).toEqual(facts);
      if (archive.leaderboards) expect(await archive.leaderboards()).toContain(facts.leaderboard);
      const { leaderboard: board, period } = facts;
      expect(await archive.page(board, period, 0, count + 10)).toEqual(entries);
      expect(await archive.page(board, period, 100, 30)).toEqual(entries.slice(100, 130));
      expect(await archive.page(board, period, count, 10)).toEqual([]);
      expect(await archive.page(board, period, 0, 0)).toEqual([]);
    });

    it('finds users wherever they stand, and nobody who is not there', async () => {
      const archive = open();
      const facts = dayFacts(leaderboard(), 0, 700);
      const entries = standingsOf(700);
      await write(archive, facts, entries);
      const wanted = ['user-700', 'user-1', 'nobody', 'user-128', 'user-129', 'user-1'];
      const found = await archive.entries(facts.leaderboard, facts.period, wanted);
      expect(found).toEqual([entries[699], entries[0], null, entries[127], entries[128], entries[0]]);
      expect(await archive.entries(facts.leaderboard, facts.period, [])).toEqual([]);
    });

    it('keeps any name as it is', async () => {
      const archive = open();
      const names = ['{x}:1', 'a b', '"', '\\', '\n\r\t', '\0', '🙂', 'ä', "'; DROP TABLE users; --", 'x'.repeat(128)];
      const facts = dayFacts(leaderboard(), 0, names.length);
      const entries = standingsOf(names.length, (place) => names[place - 1] as string);
      await write(archive, facts, entries);
      expect(await archive.page(facts.leaderboard, facts.period, 0, 100)).toEqual(entries);
      expect(await archive.entries(facts.leaderboard, facts.period, names)).toEqual(entries);
    });

    it('keeps leaderboards apart, parts of one as well', async () => {
      const archive = open();
      const one = leaderboard();
      const parts = ['team a', '{b}:c', '\0', 'a\0b', '\ufdd0', '\ufdd00', '\ufdd01'];
      const boards = [one, ...parts.map((part) => `${one}/${part}`)];
      for (const [i, board] of boards.entries()) await write(archive, dayFacts(board, 0, i + 1), standingsOf(i + 1));
      for (const [i, board] of boards.entries()) {
        expect(await archive.find(board, '2026-11-01')).toMatchObject({ leaderboard: board, total: i + 1 });
        expect(await archive.page(board, '2026-11-01', 0, 100)).toHaveLength(i + 1);
      }
    });

    it('shows nothing of a draft before it is committed, nor after it is abandoned', async () => {
      const archive = open();
      const facts = dayFacts(leaderboard(), 0, 300);
      const draft = await archive.begin(facts.leaderboard, facts.period);
      await draft.append(standingsOf(300));
      const reads = () =>
        Promise.all([
          archive.find(facts.leaderboard, facts.period),
          archive.periods(facts.leaderboard, { limit: 10 }),
          archive.page(facts.leaderboard, facts.period, 0, 10),
          archive.entries(facts.leaderboard, facts.period, ['user-1']),
          archive.history(facts.leaderboard, 'user-1', { limit: 10 }),
        ]);
      expect(await reads()).toEqual([null, [], [], [null], []]);
      await draft.abandon();
      expect(await reads()).toEqual([null, [], [], [null], []]);
    });

    it('takes one of several drafts of a period, and keeps it as it is', async () => {
      const archive = open();
      const facts = dayFacts(leaderboard(), 0, 200);
      const [first, second] = [
        await archive.begin(facts.leaderboard, facts.period),
        await open().begin(facts.leaderboard, facts.period),
      ];
      const [ours, theirs] = [standingsOf(200), standingsOf(200, (place) => `other-${place}`)];
      await Promise.all([first.append(ours), second.append(theirs)]);
      const taken = await Promise.all([first.commit(facts), second.commit({ ...facts, total: 200, rulesVersion: 4 })]);
      expect(taken.filter(Boolean)).toHaveLength(1);
      const winner = taken[0] ? ours : theirs;
      expect(await archive.page(facts.leaderboard, facts.period, 0, 1_000)).toEqual(winner);
      expect(await archive.periods(facts.leaderboard, { limit: 10 })).toHaveLength(1);

      expect(await write(archive, { ...facts, checksum: 'f'.repeat(64) }, standingsOf(3))).toBe(false);
      expect(await archive.page(facts.leaderboard, facts.period, 0, 1_000)).toEqual(winner);
      expect(await archive.find(facts.leaderboard, facts.period)).toMatchObject({ checksum: facts.checksum });
    });

    it('lists settled periods, the latest first, whatever order they were settled in', async () => {
      const archive = open();
      const board = leaderboard();
      for (const day of [2, 0, 4, 1, 3]) await write(archive, dayFacts(board, day, 1), standingsOf(1));
      const all = [4, 3, 2, 1, 0].map((day) => dayFacts(board, day, 1));
      expect(await archive.periods(board, { limit: 10 })).toEqual(all);
      expect(await archive.periods(board, { limit: 2 })).toEqual(all.slice(0, 2));
      expect(await archive.periods(board, { limit: 2, beforeMs: firstMs + 3 * dayMs })).toEqual(all.slice(2, 4));
    });

    it('returns a user’s history, the latest first, without periods in which they have no entry', async () => {
      const archive = open();
      const board = leaderboard();
      for (let day = 0; day < 70; day++) {
        const name = (place: number) => (place === 1 && day % 10 === 3 ? 'ann' : `user-${place}`);
        await write(archive, dayFacts(board, day, 2), standingsOf(2, name));
      }
      const days = (list: readonly { readonly period: SettledPeriod }[]) =>
        list.map(({ period }) => (period.startMs - firstMs) / dayMs);
      const history = await archive.history(board, 'ann', { limit: 100 });
      expect(days(history)).toEqual([63, 53, 43, 33, 23, 13, 3]);
      expect(history[0]).toEqual({ period: dayFacts(board, 63, 2), entry: { ...standingsOf(1)[0], userId: 'ann' } });
      expect(days(await archive.history(board, 'ann', { limit: 2 }))).toEqual([63, 53]);
      expect(days(await archive.history(board, 'ann', { limit: 2, beforeMs: firstMs + 53 * dayMs }))).toEqual([43, 33]);
      const [fromMs, beforeMs] = [firstMs + 33 * dayMs, firstMs + 53 * dayMs];
      expect(days(await archive.history(board, 'ann', { limit: 100, fromMs }))).toEqual([63, 53, 43, 33]);
      expect(days(await archive.history(board, 'ann', { limit: 100, fromMs: fromMs + 1, beforeMs }))).toEqual([43]);
      expect(await archive.history(board, 'bob', { limit: 5 })).toEqual([]);
    });

    it('keeps titles with a period that was settled with them, by the user, whatever is in them', async () => {
      const archive = open();
      const [facts, untitled] = [dayFacts(leaderboard(), 0, 700), dayFacts(leaderboard(), 0, 3)];
      const name = (place: number) => `${facts.leaderboard} ${place}`;
      const draft = await archive.begin(facts.leaderboard, facts.period);
      await draft.append(standingsOf(700, name));
      await draft.entitle?.([]);
      const [first, odd] = [
        { id: 'first', name: 'First' },
        { id: '\0 "', name: "'\u2028名" },
      ];
      await draft.entitle?.([
        { place: 1, title: first },
        { place: 700, title: odd },
      ]);
      await draft.entitle?.([{ place: 300, title: { id: 'same', name: 'same' } }]);
      await draft.commit({ ...facts, titled: true });
      await write(archive, untitled, standingsOf(3, name));
      const { leaderboard: board, period } = facts;
      expect(await archive.find(board, period)).toEqual({ ...facts, titled: true });
      expect(await archive.page(board, period, 0, 2)).toEqual(standingsOf(2, name));
      const asked = [name(700), 'nobody', name(1), name(2), name(300), name(1)];
      const same = { id: 'same', name: 'same' };
      expect(await archive.titles?.(board, period, asked)).toEqual([odd, null, first, null, same, first]);
      expect(await archive.titles?.(board, period, [])).toEqual([]);
      expect(await archive.titles?.(untitled.leaderboard, period, [name(1)])).toEqual([null]);
      expect(await archive.titles?.('unheard of', period, [name(1)])).toEqual([null]);
      await archive.erase?.(name(1));
      expect(await archive.titles?.(board, period, [name(1), name(700)])).toEqual([null, odd]);
    });

    describe('of whom some do not show', () => {
      /** Standings in which the first score is one user's, and others are shared by two or five. */
      const grouped = (count: number) =>
        standingsOf(count).map((entry): ArchivedEntry => {
          const group = entry.place === 1 ? 0 : entry.place < 12 ? 1 + Math.floor((entry.place - 2) / 2) : 100;
          const first = group === 0 ? 1 : group === 100 ? 12 : 2 + 2 * (group - 1);
          const dense = group === 100 ? 7 : group + 1;
          return { ...entry, score: 10_000 - group, competition: first, dense };
        });

      /** The same, numbered by hand without some. */
      const without = (entries: readonly ArchivedEntry[], hidden: readonly string[], ranking: Ranking) => {
        const shown = entries.filter(({ userId }) => !hidden.includes(userId));
        const scores = [...new Set(shown.map(({ score }) => score))];
        return shown.map(({ userId, score, reachedAtMs }, i) => ({
          member: userId,
          score,
          rank: {
            ordinal: i + 1,
            competition: shown.findIndex((other) => other.score === score) + 1,
            dense: scores.indexOf(score) + 1,
          }[ranking],
          reachedAt: reachedAtMs === null ? null : new Date(reachedAtMs),
        }));
      };

      const compare = async (archive: StandingsArchive, facts: SettledPeriod, hidden: readonly string[]) => {
        const all = grouped(facts.total);
        const settled = await archive.find(facts.leaderboard, facts.period);
        expect(settled).toEqual({ ...facts, ...(hidden.length > 0 && { hidden: hidden.length }) });
        const standings = new ArchivedStandings(archive, facts);
        for (const ranking of rankings) {
          const expected = without(all, hidden, ranking);
          const size = expected.length;
          expect(await standings.size()).toBe(size);
          expect((await standings.page({ offset: 0 }, 1_000, { ranking })).entries).toEqual(expected);
          expect((await standings.page({ offset: 3 }, 5, { ranking })).entries).toEqual(expected.slice(3, 8));
          expect((await standings.page({ offset: size }, 5, { ranking })).entries).toEqual([]);
          const walked: unknown[] = [];
          let cursor: string | null = null;
          do {
            const page = await standings.after(cursor, 7, { ranking });
            walked.push(...page.entries);
            cursor = page.next;
          } while (cursor !== null);
          expect(walked).toEqual(expected);
          const users = all.map(({ userId }) => userId);
          const byUser = new Map(expected.map((entry) => [entry.member, entry]));
          expect(await standings.entries(users, { ranking })).toEqual(users.map((user) => byUser.get(user) ?? null));
          expect(await standings.ranks(users, { ranking })).toEqual(
            users.map((user) => byUser.get(user)?.rank ?? null),
          );
          for (const index of [0, 1, Math.floor(size / 2), size - 1]) {
            const { member, rank } = expected[index] as (typeof expected)[number];
            const start = Math.max(0, Math.min(index - 2, size - 5));
            const around = { size, entries: expected.slice(start, start + 5) };
            expect(await standings.aroundWithSize(member, { radius: 2, ranking })).toEqual(around);
            expect(await standings.at(index + 1, { ranking })).toMatchObject({ member, rank });
            const percentile = (100 * (size - 1 - index)) / (size - 1);
            expect(await standings.percentile(member)).toBe(percentile);
            const own = { size, entry: expected[index], percentile, at: await standings.at(2) };
            const [read] = await standings.standings([member], { radius: 1, at: 2, ranking });
            expect(read).toMatchObject(own);
          }
        }
        expect(await standings.rows(0, 9)).toEqual(
          rankings.reduce<object[]>(
            (entries, ranking) =>
              without(all, hidden, ranking)
                .slice(0, 9)
                .map(({ member, score, reachedAt, rank }, i) => ({
                  ...entries[i],
                  [ranking === 'ordinal' ? 'place' : ranking]: rank,
                  userId: member,
                  score,
                  reachedAtMs: reachedAt?.getTime() ?? null,
                })),
            [],
          ),
        );
        for (const userId of hidden) {
          expect((await standings.aroundWithSize(userId, { radius: 2 })).entries).toEqual([]);
          expect(await standings.percentile(userId)).toBeNull();
        }
      };

      const hiddenUsers = [['user-1'], ['user-4', 'user-5', 'user-8'], ['user-12', 'user-140', 'user-150']];

      it('leaves them out of every read and numbers the others without them, until they show again', async () => {
        const archive = open();
        const facts = dayFacts(leaderboard(), 0, 150);
        await write(archive, facts, grouped(150));
        const hidden: string[] = [];
        for (const more of hiddenUsers) {
          for (const userId of more) await archive.hide?.(userId, true);
          hidden.push(...more);
          await compare(archive, facts, hidden);
        }
        // The archive itself keeps everyone.
        expect(await archive.page(facts.leaderboard, facts.period, 0, 150)).toEqual(grouped(150));
        const standings = new ArchivedStandings(archive, facts);
        expect(await standings.hiddenEntry('user-4')).toMatchObject({ member: 'user-4', score: 9_998 });
        expect(await standings.hiddenEntry('user-3')).toBeNull();
        for (const userId of hidden) await archive.hide?.(userId, false);
        await compare(archive, facts, []);
      });

      it('hides them in periods that are archived later, and in drafts that are on their way', async () => {
        const archive = open();
        const board = leaderboard();
        await archive.hide?.('user-1', true);
        const facts = dayFacts(board, 0, 20);
        const draft = await archive.begin(board, facts.period);
        await draft.append(grouped(20));
        await archive.hide?.('user-12', true);
        await draft.commit(facts);
        await compare(archive, facts, ['user-1', 'user-12']);
        await archive.hide?.('user-1', false);
        await archive.hide?.('user-12', false);
        const next = dayFacts(board, 1, 20);
        await write(archive, next, grouped(20));
        await compare(archive, next, []);
      });

      it('keeps the place of a cursor when others are hidden meanwhile', async () => {
        const archive = open();
        const facts = dayFacts(leaderboard(), 0, 20);
        await write(archive, facts, grouped(20));
        const { next } = await new ArchivedStandings(archive, facts).after(null, 5);
        await archive.hide?.('user-3', true);
        const page = await new ArchivedStandings(archive, facts).after(next, 2);
        await archive.hide?.('user-3', false);
        expect(page.entries).toMatchObject([
          { member: 'user-6', rank: 5 },
          { member: 'user-7', rank: 6 },
        ]);
      });

      it('erases a user: no read finds them, the others close up, and a second erasure finds nothing', async () => {
        const archive = open();
        const board = leaderboard();
        await archive.erase?.('user-5'); // from the boards of other tests on the same store
        for (const day of [0, 1]) await write(archive, dayFacts(board, day, 150), grouped(150));
        const facts = dayFacts(board, 0, 150);
        await archive.hide?.('user-5', true);
        expect(await archive.erase?.('user-140', { leaderboard: board, period: facts.period })).toBe(1);
        expect(await archive.erase?.('user-5')).toBe(2);
        expect(await archive.erase?.('user-4', { leaderboard: board, period: facts.period })).toBe(1);
        expect(await archive.erase?.('user-5')).toBe(0);
        await compare(archive, facts, ['user-4', 'user-5', 'user-140']);
        await compare(archive, dayFacts(board, 1, 150), ['user-5']);
        expect(await archive.history(board, 'user-5', { limit: 10 })).toEqual([]);
        const named = (await archive.hidden?.(board, facts.period))?.map(({ place, userId }) => `${place} ${userId}`);
        expect(named).toEqual(['4 null', '5 null', '140 null']);
      });

      it('erases a user from drafts that are on their way', async () => {
        const archive = open();
        const board = leaderboard();
        const name = (place: number) => `${board} ${place}`;
        const facts = dayFacts(board, 0, 12_000);
        const entries = standingsOf(12_000, name);
        const draft = await archive.begin(board, facts.period);
        await draft.append(entries);
        await draft.append([]); // the page before is written by now
        await archive.hide?.(name(7), true);
        expect(await archive.erase?.(name(7))).toBe(1);
        expect(await archive.erase?.(name(7))).toBe(0);
        await draft.commit(facts);
        expect(await archive.page(board, facts.period, 0, 12_000)).toEqual(entries.filter(({ place }) => place !== 7));
        expect(await archive.entries(board, facts.period, [name(7), name(8)])).toEqual([null, entries[7]]);
        const { place, competition, dense } = entries[6] as ArchivedEntry;
        expect(await archive.hidden?.(board, facts.period)).toEqual([
          { userId: null, place, competition, dense, isScoreShown: true },
        ]);
      });
    });
  });
}
