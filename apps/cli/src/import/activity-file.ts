import { createReadStream, createWriteStream, type ReadStream } from 'node:fs';
import { mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, type Gunzip } from 'node:zlib';
import { CommandError } from '../errors/command-error';
import { reasonOf } from '../errors/system-error';

/** A file of activities that can be read from its start as often as need be, compressed by gzip or not. */
export class ActivityFile {
  private reading: ReadStream | undefined;

  private constructor(
    /** Its name in messages. */
    readonly name: string,
    private readonly path: string,
    private readonly folder: string | undefined,
    /** As it lies on disk, compressed or not. */
    readonly bytes: number,
  ) {}

  /**
   * Opens a file, or `-` for what comes in on `stdin`, which is put into a temporary file first: it is read twice.
   * @throws CommandError where it cannot be read.
   */
  static async open(path: string, stdin: Readable): Promise<ActivityFile> {
    if (path !== '-') {
      try {
        const stats = await stat(path);
        if (stats.isDirectory())
          throw new CommandError(`${path} is a folder: name a file, or - for the standard input.`);
        return new ActivityFile(basename(path), path, undefined, stats.size);
      } catch (cause) {
        if (cause instanceof CommandError) throw cause;
        throw new CommandError(`${path} cannot be read: ${reasonOf(cause)}.`, { cause });
      }
    }
    const folder = await mkdtemp(join(tmpdir(), 'laurel-import-'));
    const copy = join(folder, 'stdin');
    try {
      await pipeline(stdin, createWriteStream(copy, { mode: 0o600 }));
      return new ActivityFile('stdin', copy, folder, (await stat(copy)).size);
    } catch (cause) {
      await rm(folder, { recursive: true, force: true });
      throw new CommandError(`The standard input cannot be read: ${reasonOf(cause)}.`, { cause });
    }
  }

  /** How many of its bytes the present reading has taken. */
  get bytesDone(): number {
    return this.reading?.bytesRead ?? 0;
  }

  /** Its content from the start, in pieces. @throws CommandError where it is damaged or cannot be read. */
  async *read(): AsyncGenerator<Buffer> {
    const raw = createReadStream(this.path);
    this.reading = raw;
    try {
      const content: AsyncIterable<Buffer> = (await this.isCompressed()) ? unzipped(raw) : raw;
      for await (const chunk of content) yield chunk;
    } catch (cause) {
      throw new CommandError(`${this.name} cannot be read to its end: ${reasonOf(cause)}.`, { cause });
    } finally {
      raw.destroy();
    }
  }

  /** Removes what was put aside of the standard input. */
  async close(): Promise<void> {
    if (this.folder !== undefined) await rm(this.folder, { recursive: true, force: true });
  }

  /** By gzip's first two bytes, whatever the file is called. */
  private async isCompressed(): Promise<boolean> {
    const file = await open(this.path);
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0);
      return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b;
    } finally {
      await file.close();
    }
  }
}

function unzipped(raw: ReadStream): Gunzip {
  const gunzip = createGunzip();
  raw.on('error', (error) => gunzip.destroy(error));
  return raw.pipe(gunzip);
}
