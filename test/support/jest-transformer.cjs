'use strict';
// One Jest transformer for our TypeScript and for ESM-only packages in node_modules.
// Jest on Node < 24.9 cannot require() an ES module, so those files are turned into CommonJS;
// CommonJS dependencies pass through untouched.
const { createHash } = require('node:crypto');
const { existsSync, readFileSync } = require('node:fs');
const { dirname, join } = require('node:path');
const { transformSync, version } = require('@swc/core');

const common = require('../../tools/swc.json');

const { transform } = common.jsc;
const ts = { ...common, jsc: { ...common.jsc, transform: { ...transform, hidden: { jest: true } } } };
const esm = { ...common, jsc: { target: 'es2022', parser: { syntax: 'ecmascript' } } };

const types = new Map();
function packageType(dir) {
  let type = types.get(dir);
  if (type === undefined) {
    const file = join(dir, 'package.json');
    const manifest = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
    if (manifest) type = manifest.type === 'module' ? 'module' : 'commonjs';
    else type = dir === dirname(dir) ? 'commonjs' : packageType(dirname(dir));
    types.set(dir, type);
  }
  return type;
}

function optionsFor(file) {
  if (/\.[cm]?ts$/.test(file)) return ts;
  if (file.endsWith('.mjs')) return esm;
  if (file.endsWith('.js') && packageType(dirname(file)) === 'module') return esm;
  return undefined;
}

const self = readFileSync(__filename, 'utf8') + JSON.stringify(common);

module.exports = {
  getCacheKey(source, file, { instrument }) {
    return createHash('sha1')
      .update(self)
      .update(version)
      .update(file)
      .update(source)
      .update(String(instrument))
      .digest('hex');
  },
  process(source, file) {
    const options = optionsFor(file);
    if (!options) return { code: source };
    return transformSync(source, { ...options, filename: file });
  },
};
