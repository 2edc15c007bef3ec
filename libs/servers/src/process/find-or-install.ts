import { ServersError } from '../errors';
import { debian, type PackageInstaller } from './debian';
import { findProgram } from './find-program';
import { findUnpacked, unpackedIn } from './unpacked';

/** A program under the names it goes by, and how a machine gets it. */
export interface Installable {
  readonly title: string;
  readonly names: readonly string[];
  readonly debianPackage: string;
  /** For the message on machines where we cannot install it: other ways to get it. */
  readonly otherWays: string;
}

/** How a program is found or installed. */
export interface FindOptions {
  readonly log?: (line: string) => void;
  /** A folder for programs of other users than root: packages are unpacked there. Default: none are. */
  readonly programsDir?: string | undefined;
  /** How root installs. Default: as Debian does. */
  readonly installer?: PackageInstaller;
}

/**
 * The path of a program: found on this machine, else installed from Debian's packages where we are root, else unpacked
 * from them.
 * @throws ServersError `notInstalled` with one message that says how to get it.
 */
export async function findOrInstall(
  { title, names, debianPackage, otherWays }: Installable,
  { log = () => undefined, programsDir, installer = debian }: FindOptions = {},
): Promise<string> {
  const find = async () =>
    (await findProgram(...names)) ?? (programsDir === undefined ? undefined : await findUnpacked(programsDir, names));
  const found = await find();
  if (found !== undefined) return found;
  const missing = `${title} is not installed: none of ${names.join(', ')} is on the PATH.`;
  const able = await firstAble(installer, programsDir === undefined ? undefined : unpackedIn(programsDir, names));
  if (!able) {
    throw new ServersError(
      'notInstalled',
      `${missing} On Debian or Ubuntu: sudo apt-get install ${debianPackage}. ${otherWays}`,
    );
  }
  try {
    await able.install(debianPackage, log);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ServersError('notInstalled', `${missing} ${reason}\n${otherWays}`, { cause: error });
  }
  const installed = await find();
  if (installed !== undefined) return installed;
  throw new ServersError('notInstalled', `${missing} The package ${debianPackage} brought none of them. ${otherWays}`);
}

async function firstAble(...installers: readonly (PackageInstaller | undefined)[]) {
  for (const installer of installers) if (await installer?.canInstall()) return installer;
  return undefined;
}
