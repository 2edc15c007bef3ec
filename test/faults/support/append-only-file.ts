import { readdir, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';

/** What a Redis appended to its file on disk, by the folder of its data. */
export class AppendOnlyFile {
  constructor(private readonly dataDir: string) {}

  /** How many bytes were written to the newest file. */
  async size(): Promise<number> {
    return (await stat(await this.newest())).size;
  }

  /** Forgets what was written past so many bytes, as a machine does that goes down before they are on its disk. */
  async cutAt(bytes: number): Promise<void> {
    await truncate(await this.newest(), bytes);
  }

  private async newest(): Promise<string> {
    const found = await readdir(this.dataDir, { recursive: true });
    // Older servers keep a single file; newer ones a base and numbered ones that are appended to.
    const names = found.filter((name) => /\.incr\.aof$/.test(name) || name === 'appendonly.aof');
    if (names.length !== 1) throw new Error(`${names.length} append-only files in ${this.dataDir}: one is expected.`);
    return join(this.dataDir, names[0] as string);
  }
}
