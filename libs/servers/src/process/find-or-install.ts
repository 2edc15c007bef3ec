import { ServersError } from '../errors';
import { debian, type PackageInstaller } from './debian';
import { findProgram } from './find-program';

/** A program under the names it goes by, and how a machine gets it. */
export interface Installable {
  readonly title: string;
  readonly names: readonly string[];
  readonly debianPackage: string;
  /** For the message on machines where we cannot install it: other ways to get it. */
  readonly otherWays: string;
}

/**
 * The path of a program: found on this machine, else installed from Debian's packages where we are root.
 * @throws ServersError `notInstalled` with one message that says how to get it.
 */
export async function findOrInstall(
  wanted: Installable,
  log: (line: string) => void,
  installer: PackageInstaller = debian,
): Promise<string> {
  const { title, names, debianPackage, otherWays } = wanted;
  const found = await findProgram(...names);
  if (found !== undefined) return found;
  const missing = `${title} is not installed: none of ${names.join(', ')} is on the PATH.`;
  if (!(await installer.canInstall())) {
    throw new ServersError(
      'notInstalled',
      `${missing} On Debian or Ubuntu: sudo apt-get install ${debianPackage}. ${otherWays}`,
    );
  }
  try {
    await installer.install(debianPackage, log);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ServersError('notInstalled', `${missing} ${reason}\n${otherWays}`, { cause: error });
  }
  const installed = await findProgram(...names);
  if (installed !== undefined) return installed;
  throw new ServersError('notInstalled', `${missing} The package ${debianPackage} brought none of them. ${otherWays}`);
}
