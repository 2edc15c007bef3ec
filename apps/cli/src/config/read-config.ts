import { resolveOptions } from '@laurel/activity/internals';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { CommandError } from '../errors/command-error';
import { reasonOf } from '../errors/system-error';
import type { LaurelConfig, LaurelConfigExport } from './laurel-config';

/** A configuration, and the name of the file that it is from; null where there is none. */
export interface FoundConfig {
  readonly file: string | null;
  readonly databaseUrl: string | undefined;
  readonly options: Omit<LaurelConfig, 'databaseUrl'>;
}

/** In this order: the first that is there counts. */
const names = ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs', 'json'].map((extension) => `laurel.config.${extension}`);

/**
 * The configuration in the file at `path`, or else in the working folder.
 * @throws CommandError where it cannot be read, or an option in it is bad or unknown.
 */
export async function readConfig(path: string | undefined): Promise<FoundConfig> {
  const found = path ?? names.find((name) => existsSync(name));
  if (found === undefined) return { file: null, databaseUrl: undefined, options: {} };
  const file = basename(found);
  const { databaseUrl, ...given } = await exportedBy(resolve(found), file);
  // As `process.env` has what is not set.
  const options = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  try {
    resolveOptions({ redis: { url: 'redis://localhost' }, ...options });
  } catch (cause) {
    throw new CommandError(`${file}: ${reasonOf(cause)}`, { cause });
  }
  return { file, databaseUrl, options };
}

async function exportedBy(path: string, file: string): Promise<LaurelConfig> {
  try {
    const exported = path.endsWith('.json') ? (JSON.parse(await readFile(path, 'utf8')) as unknown) : await load(path);
    const config = typeof exported === 'function' ? await (exported as () => unknown)() : exported;
    if (typeof config === 'object' && config !== null) return config;
  } catch (cause) {
    throw new CommandError(`${file} cannot be read: ${reasonOf(cause)}`, { cause });
  }
  throw new CommandError(`${file} exports no configuration: use export default { … }.`);
}

/** As Node loads it, and TypeScript on each Node. */
async function load(path: string): Promise<LaurelConfigExport> {
  const { createJiti } = await import('jiti');
  return createJiti(__filename, { fsCache: false }).import<LaurelConfigExport>(path, { default: true });
}
