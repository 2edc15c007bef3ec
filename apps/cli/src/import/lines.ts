/** One line of a file: its number, from 1, and its text, or why it has none. */
export type Line = { readonly number: number } & ({ readonly text: string } | { readonly fault: string });

/** The longest line, in bytes: an activity takes less than two kilobytes. */
export const maxLineBytes = 65_536;

const newline = 0x0a;

/**
 * The lines of a stream of bytes, without those that are blank. Holds one line at a time, and of one that is too long
 * only its beginning.
 */
export async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Line> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let number = 0;
  let parts: Buffer[] = [];
  let length = 0;

  const take = (part: Buffer): void => {
    if (length <= maxLineBytes) parts.push(part);
    length += part.length;
  };
  const finish = (): Line | undefined => {
    const bytes = length;
    const line = parts;
    number += 1;
    parts = [];
    length = 0;
    if (bytes > maxLineBytes) return { number, fault: `is longer than ${maxLineBytes} bytes` };
    try {
      const text = decoder.decode(Buffer.concat(line));
      return text.trim() === '' ? undefined : { number, text };
    } catch {
      return { number, fault: 'is not valid UTF-8' };
    }
  };

  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      take(chunk.subarray(start, end));
      const line = finish();
      if (line) yield line;
      start = end + 1;
    }
    if (start < chunk.length) take(chunk.subarray(start));
  }
  const last = length > 0 ? finish() : undefined;
  if (last) yield last;
}
