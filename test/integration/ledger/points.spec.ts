import type { Transition } from '@laurel/leaderboard';
import { adjustmentField } from '@laurel/leaderboard/internals';
import { differencesOf } from '../../support/differences';
import type { LawfulTransition } from '../../support/lawful-ledger';
import { keptBoard, keptLedger } from '../../support/ledger';
import { freshPrefix, ManualClock, testRedis } from '../../support';

const redis = testRedis();

describe.each([1, 3])('a full board, on %d shards,', (shards) => {
  const noon = Date.parse('2037-11-20T12:00:00Z');

  const start = (most: number | null = 10, floor: 0 | null = 0) => {
    const clock = new ManualClock(noon + 3_600_000);
    const boards = [keptBoard('day'), { ...keptBoard('month'), maxPoints: most, floor }, keptBoard('all')];
    const ledger = keptLedger(redis, { shards, boards, clock });
    const send = async (...transitions: Partial<Transition>[]) => {
      const defaults = { kind: 'grant', member: 'ann', field: 'f', points: 1, occurredAtMs: noon } as const;
      return ledger.apply(transitions.map((one) => ({ ...defaults, ...one })));
    };
    const adjust = (id: string, points: number) =>
      send({ kind: 'adjust', field: adjustmentField(id), note: 'because', grantedAtMs: noon, points });
    const reader = (board = 'month') => ledger.board(board, ledger.periods.of(board));
    const differences = () => differencesOf(redis, ledger);
    return { ledger, clock, send, adjust, reader, differences };
  };

  const page = (entries: readonly { readonly member: string; readonly score: number }[]) =>
    entries.map(({ member, score }) => `${member} ${score}`);

  it('refuses its own points, by name, and those of no other board', async () => {
    const { send, reader, differences } = start();
    expect(await send({ field: 'a', points: 8 }, { field: 'b', points: 2 }, { field: 'c', points: 5 })).toMatchObject([
      { outcome: 'granted', scores: { day: 8, month: 8 }, boards: { day: 'counted', month: 'counted' } },
      { outcome: 'granted', scores: { day: 10, month: 10 }, boards: { day: 'counted', month: 'counted' } },
      {
        ...{ outcome: 'granted', points: 5, scores: { day: 15, month: 10, all: 15 } },
        boards: { day: 'counted', month: 'full', all: 'counted' },
      },
    ]);
    expect(page(await reader().top(9))).toEqual(['ann 10']);
    expect(await reader().score('ann')).toBe(10);
    expect(await reader().sum()).toBe(10);
    expect(page(await reader('day').top(9))).toEqual(['ann 15']);
    expect(await differences()).toEqual([]);
  });

  it('is as full below zero', async () => {
    const { send, reader, differences } = start(10, null);
    expect(await send({ field: 'spam', points: -12 }, { member: 'bob', points: -10 })).toMatchObject([
      { scores: { day: 0, month: -10 }, boards: { day: 'counted', month: 'full' } },
      { scores: { day: 0, month: -10 }, boards: { day: 'counted', month: 'counted' } },
    ]);
    expect(page(await reader().top(9))).toEqual(['bob -10', 'ann -10']);
    expect(await reader().ranks(['ann', 'bob'], { ranking: 'competition' })).toEqual([1, 1]);
    expect(await reader().countBetween(-10, -10)).toBe(2);
    expect(await reader().countBetween(-99, -11)).toBe(0);
    expect(await differences()).toEqual([]);
  });

  it('stands beside the boards of who is excluded, and is settled as it shows', async () => {
    const { ledger, send, reader } = start();
    await send({ points: 12 });
    await ledger.excluded.move('ann', 'aside');
    expect(await send({ field: 'more', points: 3 })).toMatchObject([{ excluded: true, scores: { month: 10 } }]);
    expect(await reader().size()).toBe(0);
    const month = ledger.periods.of('month');
    const all: string[] = [];
    for await (const entries of ledger.everyone('month', month).walk(10)) all.push(...page(entries));
    expect(all).toEqual(['ann 10']);
    await ledger.excluded.move('ann', 'onBoards');
    expect(await reader('all').score('ann')).toBe(15);
  });

  it('may be given another bound at any time', async () => {
    const { ledger, send } = start();
    await send({ points: 12 });
    for (const [maxPoints, score] of [
      [null, 12],
      [11, 11],
      [1e12, 12],
    ] as const) {
      const { prefix, clock } = ledger.settings;
      const boards = ledger.settings.boards.map((board) => ({ ...board, maxPoints }));
      const again = keptLedger(redis, { prefix, shards, boards, clock });
      await again.prepare();
      expect(await again.board('month', again.periods.of('month')).score('ann')).toBe(score);
    }
    const boards = [{ ...keptBoard('day'), maxPoints: 0 }];
    expect(() => keptLedger(redis, { boards })).toThrow(expect.objectContaining({ code: 'invalidOption' }));
  });
});

const noon = Date.parse('2037-11-20T12:00:00Z');

const start = () => {
  const boards = [{ ...keptBoard('day'), floor: null } as const, keptBoard('month')];
  const ledger = keptLedger(redis, { boards, clock: noon + 3_600_000 });
  const send = async (...transitions: Partial<Transition>[]) => {
    const defaults = { kind: 'grant', member: 'ann', field: 'f', points: -1, occurredAtMs: noon } as const;
    return ledger.apply(transitions.map((one) => ({ ...defaults, ...one })));
  };
  const entry = async (board = 'day') => ledger.board(board, ledger.periods.of(board)).entry('ann');
  return { ledger, send, entry };
};

it('points below zero are exact to the millisecond as far below zero as above, and say nothing of a frozen board', async () => {
  const { ledger, send, entry } = start();
  const atMs = noon + 1_234_567;
  expect(await send({ field: 'a', points: -999_999 }, { field: 'b', occurredAtMs: atMs })).toMatchObject([
    { outcome: 'granted', points: -999_999, scores: { day: -999_999, month: 0 } },
    { outcome: 'granted', points: -1, scores: { day: -1_000_000, month: 0 } },
  ]);
  expect(await entry()).toMatchObject({ score: -1_000_000, reachedAt: new Date(atMs) });
  expect(await entry('month')).toBeNull();
  await send({ field: 'd', points: 1, occurredAtMs: atMs - 1 }, { field: 'e', points: 1, occurredAtMs: atMs + 1 });
  expect(await entry()).toMatchObject({ score: -999_998, reachedAt: new Date(atMs + 1) });
  await send({ kind: 'revoke', field: 'e', points: 1, occurredAtMs: atMs + 2 });
  expect(await entry()).toMatchObject({ score: -999_999, reachedAt: new Date(atMs) });
  await send(...['a', 'b'].map((field) => ({ kind: 'revoke' as const, field, occurredAtMs: atMs + 2 })));
  expect(await entry('month')).toMatchObject({ score: 1, reachedAt: new Date(atMs - 1) });
  await ledger.periods.freeze('day', ledger.periods.of('day'));
  const [result] = await send({ field: 'more' });
  expect(result).toMatchObject({ outcome: 'granted', boards: { day: 'closed', month: 'counted' } });
  expect(result?.scores).toEqual({ month: 0 });
});

describe('a grant of no points', () => {
  const noon = Date.parse('2037-11-20T12:00:00Z');

  const start = (terms: string | null = null, prefix = freshPrefix()) => {
    const clock = new ManualClock(noon + 3_600_000);
    const boards = [keptBoard('day'), keptBoard('month')];
    const ledger = keptLedger(redis, { prefix, boards, clock, terms });
    const send = async (transition: Partial<LawfulTransition>) => {
      const full = { kind: 'grant', member: 'ann', field: 'seen', points: 0, occurredAtMs: noon, ...transition };
      const [result] = await ledger.apply([full as Transition]);
      return result as NonNullable<typeof result>;
    };
    const today = ledger.periods.of('day');
    const fields = async () => (await ledger.history.days('ann', today, today))[0]?.fields;
    return { ledger, send, fields, prefix };
  };

  it('stands, is known when it comes again, and is revoked', async () => {
    const { send, fields } = start();
    expect(await send({})).toMatchObject({ outcome: 'granted', points: 0 });
    expect(await send({})).toMatchObject({ outcome: 'duplicate' });
    expect(await send({ occurredAtMs: noon + 5 })).toMatchObject({ outcome: 'duplicate' });
    expect(await fields()).toMatchObject([{ field: 'seen', points: 0, version: 1 }]);
    expect(await send({ kind: 'revoke', occurredAtMs: noon + 6 })).toMatchObject({ outcome: 'revoked', points: 0 });
    expect(await fields()).toMatchObject([{ field: 'seen', points: 0, version: null }]);
    expect(await send({ occurredAtMs: noon + 4 })).toMatchObject({ outcome: 'duplicate' });
    expect(await send({ occurredAtMs: noon + 7 })).toMatchObject({ outcome: 'granted' });
    expect(await send({ kind: 'revoke', grantedAtMs: noon, occurredAtMs: noon + 8 })).toMatchObject({
      outcome: 'revoked',
    });
  });

  it('is taken back as it was given, where terms have changed', async () => {
    const first = start('nothing');
    await first.ledger.prepare();
    await first.send({});
    await first.send({ field: 'paid', points: 4 });
    const then = start('four', first.prefix);
    await then.ledger.prepare();
    expect(await then.send({ occurredAtMs: noon + 1, points: 4 })).toMatchObject({ outcome: 'duplicate' });
    expect(await then.send({ kind: 'revoke', occurredAtMs: noon + 2, points: 4 })).toMatchObject({
      outcome: 'revoked',
      points: 0,
      scores: { day: 4 },
    });
    expect(await then.send({ occurredAtMs: noon + 3 })).toMatchObject({ outcome: 'granted', points: 0 });
    expect(await then.fields()).toContainEqual(expect.objectContaining({ field: 'seen', points: 0, version: 2 }));
    const paid = await then.send({ field: 'paid', kind: 'revoke', occurredAtMs: noon + 4 });
    expect(paid).toMatchObject({ outcome: 'revoked', points: -4 });
  });
});
