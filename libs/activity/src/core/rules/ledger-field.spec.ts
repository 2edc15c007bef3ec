import {
  beginningOfName,
  codeOfField,
  fieldById,
  fieldNames,
  giverToken,
  ledgerField,
  longSubject,
  readOwnerField,
  shortSubject,
  splitText,
} from './ledger-field';

const long = 'x'.repeat(41);
const ownerField = (code: string, userId: string, on: string) => fieldNames.gift(userId, ledgerField(code, on)).field;

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
});

describe('ledgerField', () => {
  it('has short subjects in the plain', () => {
    expect(ledgerField('p', 'article:7')).toBe('p:article:7');
    expect(ledgerField('p', 'x'.repeat(40))).toBe(`p:${'x'.repeat(40)}`);
  });

  it('has a digest of long ones, by their bytes, and never more than 64 bytes', () => {
    for (const subject of ['x'.repeat(41), 'é'.repeat(21), '名'.repeat(170)]) {
      expect(ledgerField('abcdefgh', subject)).toMatch(/^abcdefgh:#[\w-]{22}$/);
    }
  });

  it('keeps subjects that look like digests apart from those that are', () => {
    const digest = ledgerField('p', 'x'.repeat(41)).slice(2);
    expect(ledgerField('p', digest)).not.toBe(`p:${digest}`);
  });

  it('tells the code again', () => {
    expect(codeOfField(ledgerField('p', ':a:b'))).toBe('p');
  });
});

describe('fieldById', () => {
  const texts = ['1', '11', '1:1', ':1', '#1', '#2:11', 'user:42', 'x'.repeat(23), '名'.repeat(40), 'a\n'];

  it('keeps subjects and ids apart that are built to meet, in every form of ledgers', () => {
    const fields = texts.flatMap((subject) => [
      ledgerField('p', subject),
      ...texts.map((id) => fieldById('p', subject, id)),
    ]);
    expect(new Set(fields).size).toBe(texts.length * (texts.length + 1));
    expect(new Set(fields.map((field) => fieldNames.short(field))).size).toBe(fields.length);
    for (const field of fields) expect(fieldNames.long(fieldNames.short(field)).split(':')[0]).toBe('p');
    for (const field of fields) expect(Buffer.byteLength(field)).toBeLessThanOrEqual(64);
    for (const field of fields) expect(beginningOfName(fieldNames.short(field))).toBe('p');
  });

  it('tells the subject again, as it is or as a digest', () => {
    expect(splitText(fieldById('p', 'article:7', '42').slice(2))).toEqual({ subject: 'article:7', id: '42' });
    expect(splitText(fieldById('p', 'x'.repeat(50), '42').slice(2)).subject).toMatch(/^#[\w-]{22}$/);
    expect(splitText('article:7')).toEqual({ subject: 'article:7', id: null });
  });
});

describe('the field of a gift', () => {
  it('has short givers and subjects in the plain, and tells code and giver again', () => {
    expect(ownerField('p', '42', 'article:7')).toBe('owner:p:2:42article:7');
    expect(readOwnerField('owner:p:2:42article:7')).toEqual({ code: 'p', giver: '42', subject: 'article:7' });
  });

  it('has digests of long ones, and never more than 64 bytes', () => {
    for (const long of ['x'.repeat(23), 'é'.repeat(12), '名'.repeat(40)]) {
      const field = ownerField('abcdefgh', long, long);
      expect(Buffer.byteLength(field)).toBeLessThanOrEqual(64);
      expect(readOwnerField(field)).toMatchObject({ code: 'abcdefgh', giver: giverToken(long) });
      expect(beginningOfName(field)).toBe('owner:abcdefgh');
    }
    expect(Buffer.byteLength(ownerField('abcdefgh', '名'.repeat(7), '名'.repeat(7)))).toBeLessThanOrEqual(64);
  });

  it('keeps apart ids that are built to meet', () => {
    const ids = ['1', '11', '1:1', ':1', '1:', '2:1', '#', giverToken('x'.repeat(23)), 'x'.repeat(23), '名', '1\n'];
    const fields = ids.flatMap((giver) => ids.map((subject) => ownerField('p', giver, subject)));
    expect(new Set(fields).size).toBe(ids.length ** 2);
    for (const giver of ids) expect(readOwnerField(ownerField('p', giver, ':1'))?.giver).toBe(giverToken(giver));
  });

  it('takes no other field for one', () => {
    for (const field of ['p:article:7', 'adjust:owner:p:1:1', 'owner:', 'owner:p:x:1'])
      expect(readOwnerField(field)).toBeNull();
  });
});
