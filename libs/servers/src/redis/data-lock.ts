import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ServersError } from '../errors';
import { commandLine } from '../process/command-line';
import { poll } from '../process/poll';
import { loopback } from '../process/ports';

/** Which server writes in a data folder. Redis itself does not look: two servers would ruin each other's files. */
interface Holder {
  readonly pid: number;
  readonly port: number;
}

const fileName = 'server.json';

/** How long a server that is ending may still hold the folder. */
const releasedWithinMs = 5_000;

/** Notes down who writes in the folder. A note that outlives its server does no harm. */
export async function holdFolder(folder: string, holder: Holder): Promise<void> {
  await writeFile(join(folder, fileName), JSON.stringify(holder));
}

/** The url of the private Redis that runs in this data folder now, started by whatever process. */
export async function findRunningRedis(dataDir: string): Promise<string | undefined> {
  const holder = await holderOf(dataDir);
  return holder && `redis://${loopback}:${holder.port}`;
}

/** Waits until nobody writes in the folder. @throws ServersError `dataDirInUse` */
export async function awaitFreeFolder(folder: string): Promise<void> {
  const isFree = async (): Promise<true | undefined> => ((await holderOf(folder)) ? undefined : true);
  if (await poll(isFree, { withinMs: releasedWithinMs })) return;
  const holder = await holderOf(folder);
  if (!holder) return;
  const message = `A Redis server (process ${holder.pid}, redis://${loopback}:${holder.port}) has its files in ${folder}: end the app that started it, or use another data folder.`;
  throw new ServersError('dataDirInUse', message);
}

async function holderOf(folder: string): Promise<Holder | undefined> {
  const note = await readFile(join(folder, fileName), 'utf8').catch(() => 'null');
  const { pid, port } = (parsed(note) ?? {}) as Partial<Holder>;
  if (!Number.isInteger(pid) || !Number.isInteger(port) || pid === undefined || port === undefined) return undefined;
  // The port is an argument at first, and then in the title that Redis and Valkey give themselves.
  return (await commandLine(pid)).includes(String(port)) ? { pid, port } : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // broken off while it was written: nobody holds the folder
  }
}
