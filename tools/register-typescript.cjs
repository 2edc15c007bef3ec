'use strict';
// Lets a plain Node process require our TypeScript sources before anything is built, compiled as Jest compiles them, and
// our libraries by their names.
const { readFileSync } = require('node:fs');
const Module = require('node:module');
const { join } = require('node:path');
const { process: compile } = require('../test/support/jest-transformer.cjs');

require.extensions['.ts'] = (module, file) => module._compile(compile(readFileSync(file, 'utf8'), file).code, file);

const resolve = Module._resolveFilename;
Module._resolveFilename = (request, ...rest) => {
  const [, library] = /^@laurel\/(\w+)$/.exec(request) ?? [];
  return resolve(library ? join(__dirname, '../libs', library, 'src/index.ts') : request, ...rest);
};
