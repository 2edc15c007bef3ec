// Finds what the tests run against, or installs it where this machine allows: a Redis server and a browser.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
require('./register-typescript.cjs');
const { findChromium, findOrInstallRedis } = require('../libs/servers/src/index.ts');

for (const [title, find] of Object.entries({ Redis: findOrInstallRedis, Chromium: findChromium })) {
  try {
    console.log(`${title}: ${await find(console.log)}`);
  } catch (error) {
    console.error(`${title}: ${error.message}`);
    process.exitCode = 1;
  }
}
