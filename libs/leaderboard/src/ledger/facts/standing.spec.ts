import type { TransitionLimit } from './laws';
import { join, nothing, voidSequence, type Fact } from './fact';
import type { FieldLaw } from './laws';
import { countedDays, tried, type Almanac, type DayField } from './standing';

const dayMs = 86_400_000;
const week = 7;

/** A day of a thousand moments, weeks from day 0 on. */
const almanac: Almanac = {
  subjectOf: (name) => name.replace(/#.*$/, ''),
  spanOf: ({ period }, day) => {
    const days = period === 'week' ? week : 1;
    const first = day - (day % days);
    return { key: `${days} ${first}`, endMs: (first + days) * dayMs };
  },
};

interface Heard {
  readonly owner?: string;
  readonly points?: number;
  readonly day?: number;
}

/**
 * A field by its story: `g1 r2 g3` is granted at 1, revoked at 2 and granted at 3 of its day; `g1.2` has sequence 2.
 */
function field(name: string, story: string, { owner, points = 2, day = 0 }: Heard = {}): DayField {
  const facts = story.split(' ').map((word): Fact => {
    const [, kind, ms, sequence = 0] = /^(g|r)(\d+)(?:\.(\d+))?$/.exec(word) ?? [];
    const moment = { ms: day * dayMs + Number(ms), sequence: Number(sequence) };
    if (kind === 'r') return { ...nothing, revoke: moment };
    const grant = { ...moment, points, version: 1, gift: null };
    return { ...nothing, first: grant, last: grant, owner: owner ?? null };
  });
  return { day, name, fact: facts.reduce(join, nothing) };
}

/** Of each field since when it stands and its points, or the limit that refuses it, or `-`. */
function standing(fields: readonly DayField[], limits: readonly TransitionLimit[] = []): Record<string, string> {
  const law: FieldLaw = { once: 1, limits, boards: undefined };
  const found = tried(fields, { of: () => law }, almanac).found;
  return Object.fromEntries(
    [...found].map(([{ day, name }, { since, points, refusal }]) => {
      const stands = since ? `${points} since ${since.ms - day * dayMs}` : (refusal?.limit ?? '-');
      return [name, since && refusal ? `${stands} by ${refusal.limit}` : stands];
    }),
  );
}

const grants = (max: number): TransitionLimit => ({ type: 'daily', name: 'few', max, of: 'grants' });
const points = (max: number): TransitionLimit => ({ type: 'daily', name: 'little', max, of: 'points' });
const sliding = (max: number, per: 'member' | 'field' | 'pair', windowMs = 10): TransitionLimit => ({
  ...{ type: 'sliding', name: 'slow', max, windowMs, per },
});

it.each([
  ['g1', '2 since 1', 'granted'],
  ['g5 g1 g3', '2 since 1', 'granted again, from the first on'],
  ['g1 r2', '-', 'revoked'],
  ['r2 g1', '-', 'revoked before it is heard of'],
  ['g2 r1', '2 since 2', 'granted after a revoke'],
  ['g1 r1', '-', 'revoked at the same moment'],
  ['g1.1 r1', '2 since 1', 'granted at a later sequence of the revoke’s millisecond'],
  ['g1 r2 g3', '2 since 3', 'granted anew after its revoke'],
  ['g1 r2 g3 r4', '-', 'revoked again'],
  ['g1 g3 r2', '2 since 3', 'granted twice, with a revoke in between'],
])('a field on its day %s stands: %s (%s)', (story, expected) => {
  expect(standing([field('p', story)])).toEqual({ p: expected });
});

describe('limits', () => {
  it('let the earliest pass, in whatever order fields are given', () => {
    const fields = [field('c', 'g3'), field('a', 'g1'), field('b', 'g2')];
    expect(standing(fields, [grants(2)])).toEqual({ a: '2 since 1', b: '2 since 2', c: 'few' });
  });

  it('judge what tries at one moment by sequence, then by name', () => {
    expect(standing([field('b', 'g1'), field('a', 'g1'), field('c', 'g1.1')], [grants(1)])).toEqual({
      ...{ a: '2 since 1', b: 'few', c: 'few' },
    });
  });

  it('of points give what is left, and the least of what several leave', () => {
    const fields = [field('a', 'g1'), field('b', 'g2'), field('c', 'g3')];
    expect(standing(fields, [points(3)])).toEqual({ a: '2 since 1', b: '1 since 2 by little', c: 'little' });
    expect(standing(fields, [points(3), grants(1)])).toEqual({ a: '2 since 1', b: 'few', c: 'few' });
  });

  it('of points neither refuse nor count what asks for none, or takes them', () => {
    const fields = [field('a', 'g1', { points: -5 }), field('b', 'g2'), field('c', 'g3', { points: 0 })];
    const more = [field('d', 'g4'), field('e', 'g5', { points: -1 })];
    expect(standing([...fields, ...more], [points(2)])).toEqual({
      ...{ a: '-5 since 1', b: '2 since 2', c: '0 since 3', d: 'little', e: '-1 since 5' },
    });
  });

  it('of a day leave a place again from a revoke of that day on', () => {
    const fields = [field('a', 'g1 r5'), field('b', 'g3'), field('at', 'g5'), field('c', 'g6')];
    expect(standing(fields, [grants(1)])).toEqual({ a: '-', b: 'few', at: 'few', c: '2 since 6' });
    const voided = [field('a', `g1 r5.${voidSequence}`), field('b', 'g6'), field('a', `g1 r5.${voidSequence} g8`)];
    expect(standing(voided.slice(0, 2), [grants(1)])).toEqual({ a: '-', b: 'few' });
    expect(standing(voided.slice(1), [grants(1)])).toEqual({ a: '2 since 8', b: 'few' });
  });

  it('let what was refused try again at its latest grant', () => {
    const fields = [field('a', 'g1 r5'), field('b', 'g3 g7')];
    expect(standing(fields, [grants(1)])).toEqual({ a: '-', b: '2 since 7' });
  });

  it('judge what came back after its revoke anew', () => {
    const fields = [field('a', 'g1 r5 g8'), field('b', 'g6')];
    expect(standing(fields, [grants(1)])).toEqual({ a: 'few', b: '2 since 6' });
  });

  it('of a window count what was given, revoked or not, and leave room when that is old', () => {
    const fields = [field('a', 'g1 r2'), field('b', 'g10'), field('c', 'g11')];
    expect(standing(fields, [sliding(1, 'member')])).toEqual({ a: '-', b: 'slow', c: '2 since 11' });
  });

  it('of a window look across days', () => {
    const fields = [field('a', `g${dayMs - 1}`), field('b', 'g1', { day: 1 }), field('c', 'g9', { day: 1 })];
    expect(standing(fields, [sliding(1, 'member')])).toMatchObject({ b: 'slow', c: '2 since 9' });
  });

  it('count per field, and per owner those that have one', () => {
    const fields = [field('a#1', 'g1'), field('a#2', 'g2'), field('b', 'g3')];
    expect(standing(fields, [sliding(1, 'field')])).toEqual({ 'a#1': '2 since 1', 'a#2': 'slow', b: '2 since 3' });
    const owned = [field('a', 'g1', { owner: 'ann' }), field('b', 'g2', { owner: 'ann' }), field('c', 'g3')];
    expect(standing(owned, [sliding(1, 'pair')])).toEqual({ a: '2 since 1', b: 'slow', c: '2 since 3' });
  });

  it('of a week count all its days, of a day that day alone', () => {
    const fields = [field('a', 'g1'), field('b', 'g1', { day: 6 }), field('c', 'g1', { day: week })];
    const weekly: TransitionLimit = { type: 'daily', name: 'weekly', max: 1, of: 'grants', period: 'week' };
    expect(standing(fields, [weekly])).toEqual({ a: '2 since 1', b: 'weekly', c: '2 since 1' });
    expect(standing(fields, [grants(1)])).toEqual({ a: '2 since 1', b: '2 since 1', c: '2 since 1' });
  });

  it('of the caller’s own are asked with what was given in their window; one that throws refuses', () => {
    const own = (allows: Extract<TransitionLimit, { type: 'own' }>['allows']): TransitionLimit => ({
      ...{ type: 'own', name: 'own', windowMs: 10, per: 'member', allows },
    });
    const fields = [field('a', 'g1'), field('b', 'g5'), field('c', 'g12')];
    expect(standing(fields, [own((_, given) => given.length === 0)])).toEqual({
      a: '2 since 1',
      b: 'own',
      c: '2 since 12',
    });
    const thrown = own(() => {
      throw new Error('of the caller');
    });
    expect(standing(fields, [thrown])).toEqual({ a: 'own', b: 'own', c: 'own' });
  });

  it('look at what was given once, however much it is', () => {
    const own = [grants(300), sliding(9, 'member')];
    const limits = jest.fn(() => own);
    const all = Array.from({ length: 200 }, (_, i) => field(`f${i}`, `g${i}`));
    const law = Object.defineProperty({ once: 1, boards: undefined }, 'limits', { get: limits }) as FieldLaw;
    tried(all, { of: () => law }, almanac);
    expect(limits.mock.calls.length).toBeLessThan(1_000);
  });

  it('say from when on they would allow it', () => {
    const law: FieldLaw = { once: 1, limits: [sliding(1, 'member'), grants(2)], boards: undefined };
    const fields = [field('a', 'g1'), field('b', 'g5'), field('c', 'g20'), field('d', 'g40')];
    const found = [...tried(fields, { of: () => law }, almanac).found.values()];
    expect(found.map(({ refusal }) => refusal?.allowedAgainAtMs)).toEqual([undefined, 11, undefined, dayMs]);
  });
});

describe('the days on which a field counts', () => {
  const on = (days: readonly number[], revokedDays: readonly number[], once: number) => {
    const all = days.map((day) => field('p', 'g1', { day }));
    const law: FieldLaw = { once, limits: [], boards: undefined };
    const found = [...tried(all, { of: () => law }, almanac).found].map(([{ day }, verdict]) => ({ day, verdict }));
    return [...countedDays(found, revokedDays, once).keys()];
  };

  it('are all on which it stands, once a day', () => {
    expect(on([1, 2, 5], [], 1)).toEqual([1, 2, 5]);
  });

  it('are so far apart that it counts once in so many days', () => {
    expect(on([1, 2, 3, 4, 6, 7], [], 3)).toEqual([1, 4, 7]);
  });

  it('are none before the day of a general revoke', () => {
    expect(on([1, 3, 5], [3], 1)).toEqual([3, 5]);
    expect(on([1, 2, 3], [2], 3)).toEqual([2]);
  });
});
