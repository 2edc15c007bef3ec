import { access, constants } from 'node:fs/promises';
import { ServersError } from './errors';
import { findOrInstall } from './process/find-or-install';

/** Without the windows of a browser, which nobody sees, the same engine does a page with half of the work. */
const debianPackage = 'chromium-headless-shell';

/** Names on the PATH; last, where Google Chrome lies on macOS. */
const names = [
  ...[debianPackage, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/**
 * The path of a Chromium browser: the one that CHROMIUM_PATH names, else one found on this machine, else Debian's
 * package, installed if the process is root's.
 * @throws ServersError `notInstalled` with a message that says how to install it.
 */
export async function findChromium(
  log: (line: string) => void = () => undefined,
  named = process.env.CHROMIUM_PATH,
): Promise<string> {
  if (named) {
    return access(named, constants.X_OK).then(
      () => named,
      () => {
        const message = `CHROMIUM_PATH is "${named}": there is no program. Name a Chromium or Google Chrome, or leave it out.`;
        throw new ServersError('notInstalled', message);
      },
    );
  }
  const otherWays = 'On macOS: install Google Chrome. Or name a Chromium in CHROMIUM_PATH.';
  return findOrInstall({ title: 'A Chromium browser', names, debianPackage, otherWays }, { log });
}
