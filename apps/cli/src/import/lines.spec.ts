import { type Line, linesOf, maxLineBytes } from './lines';

async function read(...chunks: readonly (string | Buffer)[]): Promise<Line[]> {
  async function* source(): AsyncGenerator<Buffer> {
    for (const chunk of chunks) yield Promise.resolve(Buffer.from(chunk));
  }
  const lines: Line[] = [];
  for await (const line of linesOf(source())) lines.push(line);
  return lines;
}

describe('the lines of a file', () => {
  it('are numbered from 1, blank ones counted but left out', async () => {
    expect(await read('one\n\n  \r\nfour\n')).toEqual([
      { number: 1, text: 'one' },
      { number: 4, text: 'four' },
    ]);
  });

  it('may come in any pieces, and the last without a newline', async () => {
    expect(await read('o', 'ne\ntw', 'o\nth', 'ree')).toEqual([
      { number: 1, text: 'one' },
      { number: 2, text: 'two' },
      { number: 3, text: 'three' },
    ]);
  });

  it('keep characters whole that lie in two pieces', async () => {
    const bytes = Buffer.from('🌿');
    expect(await read(bytes.subarray(0, 2), bytes.subarray(2))).toEqual([{ number: 1, text: '🌿' }]);
  });

  it('are refused where they are no UTF-8, and the next one is read', async () => {
    expect(await read(Buffer.from([0xff, 0x0a]), 'two')).toEqual([
      { number: 1, fault: 'is not valid UTF-8' },
      { number: 2, text: 'two' },
    ]);
  });

  it('are refused where they are too long, and the next one is read', async () => {
    const long = 'x'.repeat(maxLineBytes);
    expect(await read(long, 'x\ntwo\n', long)).toEqual([
      { number: 1, fault: 'is longer than 65536 bytes' },
      { number: 2, text: 'two' },
      { number: 3, text: long },
    ]);
  });

  it('may begin with a byte order mark', async () => {
    expect(await read('\uFEFFone')).toEqual([{ number: 1, text: 'one' }]);
  });
});
