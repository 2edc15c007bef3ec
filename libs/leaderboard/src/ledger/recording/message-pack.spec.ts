import { messagePack } from './message-pack';

const hex = (value: unknown) => messagePack(value).toString('hex');

describe('messagePack', () => {
  it('writes small whole numbers short, and all others as doubles', () => {
    expect([0, 127, 128, 65_535].map(hex)).toEqual(['00', '7f', 'cd0080', 'cdffff']);
    expect([65_536, -1, 0.5].map(hex)).toEqual(['cb40f0000000000000', 'cbbff0000000000000', 'cb3fe0000000000000']);
    expect(messagePack(2 ** 53 - 1).readDoubleBE(1)).toBe(2 ** 53 - 1);
  });

  it('counts the bytes of strings, not their characters', () => {
    expect(['', 'p:7', 'ü'].map(hex)).toEqual(['a0', 'a3703a37', 'a2c3bc']);
    expect(hex('a'.repeat(31))).toBe(`bf${'61'.repeat(31)}`);
    expect(hex('a'.repeat(32))).toBe(`da0020${'61'.repeat(32)}`);
    expect(hex('ü'.repeat(16))).toBe(`da0020${'c3bc'.repeat(16)}`);
    expect(hex('a'.repeat(65_536))).toBe(`db00010000${'61'.repeat(65_536)}`);
  });

  it('nests arrays and objects of any length, without what is undefined', () => {
    expect(hex([1, [true, false], []])).toBe('930192c3c290');
    expect(hex({ op: 'grant', limits: undefined })).toBe('81a26f70a56772616e74');
    expect(hex(Array(16).fill(1))).toBe(`dc0010${'01'.repeat(16)}`);
    expect(hex(Array(65_536).fill(1))).toBe(`dd00010000${'01'.repeat(65_536)}`);
    const many = Object.fromEntries(Array.from({ length: 16 }, (_, i) => [String.fromCharCode(97 + i), i]));
    expect(hex(many)).toMatch(/^de0010a16100a16201/);
  });

  it('hands out bytes that later calls leave alone', () => {
    const first = messagePack(['a']);
    messagePack(['b'.repeat(100_000)]);
    expect(first.toString('hex')).toBe('91a161');
  });
});
