import { findOrInstall } from './process/find-or-install';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/**
 * The path of a Chromium browser: found on this machine, else Debian's package is installed where we are root.
 * @throws ServersError `notInstalled` with one message that says how to get it.
 */
export function findChromium(log: (line: string) => void = () => undefined): Promise<string> {
  const otherWays = 'On macOS: brew install chromium.';
  return findOrInstall({ title: 'A Chromium browser', names, debianPackage: 'chromium', otherWays }, log);
}
