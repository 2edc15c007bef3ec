import { Ledger, type LedgerOptions, type Transition } from '@laurel/leaderboard';
import { withBetween } from '../../support/between-trips';
import { auditOf } from '../../support/differences';
import { keptBoard } from '../../support/ledger';
import { dayMs, freshPrefix, ManualClock, testRedis } from '../../support';

const noon = Date.parse('2036-11-20T12:00:00Z');
const redis = testRedis();
const on = (day: number, field: string, change: Partial<Transition> = {}): Transition => ({
  ...{ kind: 'grant', member: 'ann', field, points: 2, occurredAtMs: noon + day * dayMs, ...change },
});
const hold = (field: string, change: Partial<Transition> = {}) => on(0, field, { kind: 'hold', id: 'h', ...change });
const law = (once: number) => ({ once, limits: [], boards: undefined });

/** A ledger whose clock stands some days later. */
function made(of: NonNullable<LedgerOptions['laws']>['of'], days = 6) {
  const [clock, boards] = [new ManualClock(noon + days * dayMs), [keptBoard('day'), keptBoard('all')]];
  const own = { prefix: freshPrefix(), boards, laws: { of }, clock };
  const ledger = new Ledger(redis, { ...own, ledgerRetentionMs: null, shards: 1 });
  const score = (board = 'all', atMs = noon) => ledger.board(board, ledger.periods.of(board, atMs)).score('ann');
  /** What all of it comes to, once that was proved. */
  const after = async (...transitions: Transition[]) => {
    await ledger.apply(transitions);
    expect(await auditOf(redis, ledger)).toEqual({ differences: [], gaps: [] });
    return score();
  };
  return { ledger, score, after };
}

describe('what counts once for ever and was given back', () => {
  const given = [on(0, 'f:1'), on(1, 'f:1', { kind: 'revoke' }), on(4, 'f:1'), on(0, 'f:2')];

  it.each([
    ['since a moment in between', hold('f:', { occurredAtMs: noon + 3 * dayMs })],
    ['of the day on which it counts', hold('f:1', { grantedAtMs: noon })],
    ['of the day of any of its grants', hold('f:1', { grantedAtMs: noon + 4 * dayMs })],
  ])('is held back by a hold %s, and comes back', async (_, held) => {
    const { after } = made(() => law(Infinity));
    expect(await after(...given)).toBe(4);
    expect([await after(held), await after(on(5, 'f:1'))]).toEqual([2, 2]);
    expect(await after(on(0, 'h', { kind: 'release', id: 'h' }))).toBe(4);
  });

  it('is a standing grant since then', async () => {
    const { ledger, after } = made(() => law(Infinity));
    expect(await after(...given)).toBe(4);
    const since = [0, 2, 5].map((day) => ledger.grants.since('ann', noon + day * dayMs));
    expect((await Promise.all(since)).map(({ length }) => length)).toEqual([2, 1, 0]);
  });
});

describe('a hold', () => {
  it('of what begins with a letter holds back nothing else', async () => {
    const { after } = made(() => law(1));
    expect(await after(...Array.from({ length: 40 }, (_, i) => on(0, `v:${i}`)))).toBe(80);
    expect(await after(...[...'0123456789abcdef'].map((field) => hold(field)))).toBe(80);
  });

  it.each([0, 1])('that is put beside %d others while a repair reads much is left as it is', async (others) => {
    const { ledger, score } = made(() => law(1));
    const many = Array.from({ length: 6_000 }, (_, i) => on(i % 6, `v:${i}`.padEnd(96, 'x')));
    await ledger.apply([...[hold('x', { member: 'bob' })].slice(0, others), ...many]);
    const read = ledger.facts.read.bind(ledger.facts);
    const between = { trip: 2, work: () => ledger.apply([hold('v:')]) };
    const reads = jest.spyOn(ledger.facts, 'read');
    reads.mockImplementation((member, look) =>
      member === 'bob' ? read(member, look) : withBetween(redis, between, () => read(member, look)),
    );
    expect((await auditOf(redis, ledger, { heals: true })).differences).toEqual([]);
    expect(await score()).toBeNull();
  });
});

describe('a field that was granted by several versions of the rules', () => {
  it('counts by the other days where the latest says so', async () => {
    const { score, after } = made((_, version) => law(version === 1 ? 1 : 3));
    expect(await after(...[0, 1].map((day) => on(day, 'f', { version: 2 })))).toBe(2);
    expect(await after(on(2, 'f', { kind: 'revoke', grantedAtMs: noon, version: 2 }))).toBe(2);
    expect(await score('day', noon + dayMs)).toBe(2);
  });

  it('leaves its place under a limit that the latest does not have', async () => {
    const few = { type: 'daily', name: 'few', max: 1, of: 'grants' } as const;
    const { after } = made((name, version) => ({ ...law(1), limits: version === 1 || name === 'q' ? [few] : [] }), 0);
    expect(await after(on(0, 'p', { version: 1, occurredAtMs: noon - 3 }))).toBe(2);
    expect(await after(on(0, 'p', { kind: 'revoke', version: 2, occurredAtMs: noon - 2 }))).toBeNull();
    expect(await after(on(0, 'q', { version: 2, occurredAtMs: noon - 1 }))).toBe(2);
  });

  it('is counted by what a limit is now, whatever it was', async () => {
    const slow = (max: number, windowMs: number) =>
      ({ type: 'sliding', name: 'slow', max, windowMs, per: 'member' }) as const;
    const { after } = made((_, version) => ({ ...law(1), limits: [version < 2 ? slow(3, 1_000) : slow(5, dayMs)] }), 0);
    const at = (n: number) => on(0, `f${n}`, { version: n > 3 ? 2 : 1, occurredAtMs: noon - 60_000 + n * 2_000 });
    for (let n = 1; n <= 8; n += 1) expect(await after(at(n))).toBe(2 * Math.min(n, 5));
  });

  it.each([{ points: 2_000 }, { points: 5, sequence: 10 ** 6 }])('of %j is not one of none', async (first) => {
    const { after } = made(() => law(1), 0);
    expect(await after(on(0, 'f', { ...first, occurredAtMs: noon - 2 }))).toBe(first.points);
    expect(await after(on(0, 'f', { points: 0, occurredAtMs: noon - 1 }))).toBe(first.points);
  });
});
