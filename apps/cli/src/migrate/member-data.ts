import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { CommandError } from '../errors/command-error';
import { reasonOf } from '../errors/system-error';
import type { SourceRedis } from './source-redis';

/**
 * Writes a hash of member data to a file, a JSON object a line: `{ "member": "42", "data": "…" }`. Gives how many.
 * @throws CommandError where the file cannot be written.
 */
export async function writeMemberData({ client }: SourceRedis, key: string, path: string): Promise<number> {
  const file = createWriteStream(path, { mode: 0o600 });
  const written = finished(file);
  written.catch(() => undefined); // seen below
  let count = 0;
  try {
    for (let cursor = '0'; ;) {
      const [next, found] = await client.hscan(key, cursor, 'COUNT', 500);
      for (let i = 0; i < found.length; i += 2, count += 1) {
        const line = `${JSON.stringify({ member: found[i], data: found[i + 1] })}\n`;
        if (!file.write(line)) await Promise.race([once(file, 'drain'), written]);
      }
      if (next === '0') break;
      cursor = next;
    }
    file.end();
    await written;
    return count;
  } catch (cause) {
    file.destroy();
    throw new CommandError(`${path} cannot be written: ${reasonOf(cause)}.`, { cause });
  }
}
