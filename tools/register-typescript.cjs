'use strict';
// Lets a plain Node process require our TypeScript sources before anything is built, compiled as Jest compiles them.
const { readFileSync } = require('node:fs');
const { process: compile } = require('../test/support/jest-transformer.cjs');

require.extensions['.ts'] = (module, file) => module._compile(compile(readFileSync(file, 'utf8'), file).code, file);
