import { codeOfField, ledgerField } from './ledger-field';

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
