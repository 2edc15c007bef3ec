import { once } from 'node:events';
import { open, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { CommandContext } from './command-context';
import { CommandError } from '../errors/command-error';

/**
 * Writes what comes piece by piece to a new file, or to the standard output where none is named.
 * @throws CommandError where the file is there already, or cannot be written.
 */
export async function writePieces(
  { terminal: { out }, env }: CommandContext,
  file: string | undefined,
  pieces: AsyncIterable<string | Uint8Array>,
): Promise<void> {
  // npm runs us in the project's folder and leaves in INIT_CWD where the operator is.
  if (file !== undefined) await writeFile(resolve(env.INIT_CWD ?? '.', file), pieces);
  // More is taken once it has drained.
  else for await (const piece of pieces) if (!out.write(piece)) await once(out, 'drain');
}

async function writeFile(path: string, pieces: AsyncIterable<string | Uint8Array>): Promise<void> {
  let isOurs = false;
  try {
    const file = await open(path, 'wx');
    isOurs = true;
    await pipeline(Readable.from(pieces), file.createWriteStream());
  } catch (cause) {
    const { code, syscall } = cause as NodeJS.ErrnoException;
    if (code === 'EEXIST')
      throw new CommandError(`${path} exists already: name another file, or remove this one.`, { cause });
    // What is not whole would refuse the next try.
    if (isOurs) await rm(path, { force: true });
    if (syscall === undefined) throw cause;
    throw new CommandError(`${path} cannot be written (${code}).`, { cause });
  }
}
