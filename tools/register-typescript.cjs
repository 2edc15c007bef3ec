'use strict';
// Lets a plain Node process require our TypeScript sources before anything is built, compiled as Jest compiles them,
// and our libraries by their names. What was compiled is kept, as tests start hundreds of such processes.
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const { join } = require('node:path');
const { getCacheKey, process: compile } = require('../test/support/jest-transformer.cjs');

const kept = join(__dirname, '../.data/compiled');
mkdirSync(kept, { recursive: true });

function compiled(file) {
  const source = readFileSync(file, 'utf8');
  const place = join(kept, `${getCacheKey(source, file, { instrument: false })}.js`);
  try {
    return readFileSync(place, 'utf8');
  } catch {
    const { code } = compile(source, file);
    // Complete or not at all, even if another process compiles it now.
    writeFileSync(`${place}.${process.pid}`, code);
    renameSync(`${place}.${process.pid}`, place);
    return code;
  }
}

require.extensions['.ts'] = (module, file) => module._compile(compiled(file), file);

const resolve = Module._resolveFilename;
Module._resolveFilename = (request, ...rest) => {
  const [, library, entry = 'index'] = /^@laurel\/(\w+)(?:\/([\w-]+))?$/.exec(request) ?? [];
  return resolve(library ? join(__dirname, '../libs', library, 'src', entry) : request, ...rest);
};
