'use strict';
// Lets a plain Node process require our TypeScript sources, compiled by SWC, and our libraries by their names. What was
// compiled is kept, as tests start hundreds of such processes: @swc-node/register does the same, but loads TypeScript
// to read tsconfig.json, which costs each process a fifth more.
const { createHash } = require('node:crypto');
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const { join } = require('node:path');
const { transformSync, version } = require('@swc/core');
const options = require('./swc.json');

const kept = join(__dirname, '../.data/compiled');
const by = version + JSON.stringify(options);
mkdirSync(kept, { recursive: true });

function compiled(filename) {
  const source = readFileSync(filename, 'utf8');
  const place = join(kept, `${createHash('sha1').update(by).update(filename).update(source).digest('hex')}.js`);
  try {
    return readFileSync(place, 'utf8');
  } catch {
    const { code } = transformSync(source, { ...options, filename });
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
