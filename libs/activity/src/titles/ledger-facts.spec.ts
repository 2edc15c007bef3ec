import type { LedgerDay } from '@laurel/leaderboard';
import { ownerField } from '../core/rules/ledger-field';
import { countsOf, hoursOf, localHours } from './ledger-facts';

const at = Date.parse('2026-11-20T02:10:00Z');
const field = (name: string, points = 2, grantedAtMs: number | null = at) => ({
  sinceMs: at,
  field: name,
  points,
  version: points > 0 ? 1 : null,
  grantedAtMs,
});
const day = (...fields: LedgerDay['fields']): LedgerDay => ({ date: '2026-11-20', fields });
const rules = {
  actionOfCode: (code: string) => ({ p: 'praise', m: 'comment' })[code] ?? code,
  actionOfField: (name: string) => rules.actionOfCode(name.split(':', 1)[0] ?? ''),
};
/** Of rules that have gone. */
const gone = { ...rules, actionOfField: (name: string) => name.split(':', 1)[0] ?? '' };
const praisedBy = (userId: string) => ownerField('p', userId, '1');

describe('what ledgers say of a user', () => {
  it('counts standing grants, the user’s actions apart from actions on their subjects', () => {
    const days = [
      day(field('p:1'), field('p:2'), field('m:1', 0)),
      day(field('m:1'), field(praisedBy('ada')), field(praisedBy('bob')), field(praisedBy('cyd'), 0)),
    ];
    const { given, received } = countsOf(days, rules);
    expect({ ...given }).toEqual({ praise: 2, comment: 1 });
    expect({ ...received }).toEqual({ praise: 2 });
  });

  it('takes no count from what objects inherit, whatever a rule that has gone was called', () => {
    const given = countsOf([day(field('constructor:1'), field('__proto__:1'))], gone).given;
    expect(given.constructor).toBe(1);
    expect(given.__proto__).toBe(1);
    expect(given.toString).toBeUndefined();
  });

  it('returns the hours of the user’s own standing actions', () => {
    const fields = [field('p:1'), field('p:2', 2, at + 7_200_000), field('m:1', 0), field(praisedBy('ada'))];
    const hours = hoursOf([day(...fields, field('p:3', 2, null))], localHours('UTC'));
    expect(hours).toHaveLength(24);
    expect(hours.flatMap((count, hour) => (count > 0 ? [[hour, count]] : []))).toEqual([
      [2, 1],
      [4, 1],
    ]);
  });

  it.each([
    ['Asia/Kathmandu', '2026-11-20T18:14:59Z', 23],
    ['Asia/Kathmandu', '2026-11-20T18:15:00Z', 0],
    ['America/New_York', '2026-11-01T05:59:59Z', 1],
    ['America/New_York', '2026-11-01T06:30:00Z', 1],
    ['America/New_York', '2026-11-01T07:00:00Z', 2],
    ['Australia/Lord_Howe', '2026-04-04T15:15:00Z', 1],
  ])('knows the hour in %s at %s: %i', (timezone, moment, hour) => {
    expect(localHours(timezone)(Date.parse(moment))).toBe(hour);
    expect(localHours(timezone)(Date.parse(moment))).toBe(hour);
  });
});
