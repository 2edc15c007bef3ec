// Finds what the tests run against, or installs it where this machine allows: a Redis server and a browser. With --all
// also what deep suites use: they skip what needs MariaDB or promtool where these cannot be had.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
require('./register-typescript.cjs');
const { findChromium, findOrInstallRedis } = require('../libs/servers/src/index.ts');
const { findOrInstallMariaDb } = require('../libs/servers/src/mariadb/index.ts');
const { findOrInstall } = require('../libs/servers/src/process/find-or-install.ts');
const { unpackedIn } = require('../libs/servers/src/process/unpacked.ts');

/** Debian's package of promtool would install a server too, and start it: the program alone is unpacked of it. */
function findOrUnpackPromtool(log) {
  const [programsDir, names] = ['.data/promtool', ['promtool']];
  const promtool = { title: 'promtool', names, debianPackage: 'prometheus', otherWays: 'It comes with Prometheus.' };
  return findOrInstall(promtool, { log, programsDir, installer: unpackedIn(programsDir, names) });
}

const programs = { Redis: (log) => findOrInstallRedis({ log }), Chromium: findChromium };
const optional = {
  MariaDB: async (log) => (await findOrInstallMariaDb({ log })).program,
  promtool: findOrUnpackPromtool,
};
const all = process.argv.includes('--all') ? { ...programs, ...optional } : programs;
for (const [title, find] of Object.entries(all)) {
  try {
    console.log(`${title}: ${await find(console.log)}`);
  } catch (error) {
    console.error(`${title}: ${error.message}`);
    if (title in programs) process.exitCode = 1;
  }
}
