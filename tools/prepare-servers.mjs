// Finds what the tests run against, or installs it where this machine allows: a Redis server and a browser. Also
// promtool, without which one test is skipped.
import { createRequire } from 'node:module';
import { findOrFetchPromtool } from './promtool.mjs';

const require = createRequire(import.meta.url);
require('./register-typescript.cjs');
const { findChromium, findOrInstallRedis } = require('../libs/servers/src/index.ts');

const programs = { Redis: (log) => findOrInstallRedis({ log }), Chromium: findChromium };
for (const [title, find] of Object.entries(programs)) {
  try {
    console.log(`${title}: ${await find(console.log)}`);
  } catch (error) {
    console.error(`${title}: ${error.message}`);
    process.exitCode = 1;
  }
}

try {
  console.log(`promtool: ${findOrFetchPromtool(console.log)}`);
} catch (error) {
  console.log(`promtool: ${error.message}`);
}
