import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** When the demo was started first, and whether it has its past. */
export interface Begun {
  readonly at: Date;
  /** False: it is still to be lived through, for the first time or to its end. */
  readonly hasPast: boolean;
  /** Whether nothing was begun before. */
  readonly isFirst: boolean;
}

const file = (dataDir: string): string => join(dataDir, 'demo.json');

/** What is known of the demo's first start, which is now where there was none. */
export async function begin(dataDir: string, now: Date): Promise<Begun> {
  const begun = await readBegun(dataDir);
  if (begun) return begun;
  const first = { at: now, hasPast: false };
  await writeBegun(dataDir, first);
  return { ...first, isFirst: true };
}

async function readBegun(dataDir: string): Promise<Begun | null> {
  try {
    const { at, hasPast } = JSON.parse(await readFile(file(dataDir), 'utf8')) as { at: string; hasPast: boolean };
    return { at: new Date(at), hasPast, isFirst: false };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

export async function writeBegun(dataDir: string, begun: Omit<Begun, 'isFirst'>): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  await writeFile(file(dataDir), JSON.stringify({ at: begun.at, hasPast: begun.hasPast }));
}
