import { fieldNames, ledgerField, ownerField } from './ledger-field';
import { longSubject, shortSubject } from './short-subject';

const long = 'x'.repeat(41);

describe('the short name of a field', () => {
  // They are data: a name that changes gives points twice.
  it.each([
    ['article:7', 'p#AH'],
    ['/articles/1234', 'p#aTS'],
    ['user:0', 'p#VA'],
    ['track:999999999999999', 'p#ZDjX6kxn__'],
    [long, 'p#MWRZbfT90Biy'],
  ])('of the subject %j is %s', (subject, name) => {
    const field = ledgerField('p', subject);
    expect(fieldNames.short(field)).toBe(name);
    expect(fieldNames.short(fieldNames.long(name))).toBe(name);
    if (subject !== long) expect(fieldNames.long(name)).toBe(field);
  });

  it.each([
    'article:07',
    'article:',
    'article:x7',
    'Article:7',
    'video:7 ',
    'article:1000000000000000',
    '/a',
    '#',
    ':',
  ])('of the subject %j is the field itself', (subject) => {
    const field = ledgerField('p', subject);
    if (subject === '#') expect(fieldNames.short(field)).toMatch(/^p#[\w-]{12}$/);
    else expect(fieldNames.short(field)).toBe(field);
    expect(fieldNames.long(field)).toBe(field);
  });

  it('is no other field, and owners and adjustments keep theirs', () => {
    for (const field of [ownerField('p', '42', 'article:7'), ownerField('p', long, long), 'adjust:article#7']) {
      expect(fieldNames.short(field)).toBe(field);
      expect(fieldNames.long(field)).toBe(field);
    }
  });

  it('tells every number apart from every digest', () => {
    for (const id of [0, 63, 64, 4_095, 4_096, 2 ** 31, 999_999_999_999_999]) {
      const short = shortSubject(`article:${id}`) as string;
      expect(short.length).toBeLessThan(12);
      expect(longSubject(short)).toBe(`article:${id}`);
    }
  });

  it('begins as the fields of its code do, in one form or the other', () => {
    for (const subject of ['article:7', long, '/a']) {
      const name = fieldNames.short(ledgerField('p', subject));
      expect(fieldNames.beginnings('p:').some((beginning) => name.startsWith(beginning))).toBe(true);
    }
    expect(fieldNames.beginnings('owner:p:')).toEqual(['owner:p:']);
  });
});
