import { access, constants } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

/** Folders where systems keep servers, often missing in a user's PATH. */
const systemFolders = ['/usr/local/bin', '/usr/bin', '/bin', '/usr/local/sbin', '/usr/sbin', '/opt/homebrew/bin'];

/** The path of the first of these programs that is on the PATH, in one of the system's folders, or a path itself. */
export async function findProgram(...names: readonly string[]): Promise<string | undefined> {
  const folders = [...(process.env.PATH ?? '').split(delimiter).filter(Boolean), ...systemFolders];
  for (const name of names) {
    for (const folder of isAbsolute(name) ? ['/'] : folders) {
      const file = join(folder, name);
      if (await isExecutable(file)) return file;
    }
  }
  return undefined;
}

function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}
