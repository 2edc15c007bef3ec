'use strict';
// Jest compiles every module anew for each suite that loads it. A suite that starts an app loads a thousand of them:
// compiling is half of what that costs. Here a process compiles each module once, and the suites after it take what was
// compiled, functions that V8 compiled later included. They share code alone: each runs it in a context of its own.
const vm = require('node:vm');
const Runtime = require('jest-runtime');

/** What was compiled, by the file that it was made of. */
const scripts = new Map();
const { compileFunction } = vm;

/** As Node's own, for the way in which Jest calls it; `import()` in CommonJS is none of its ways on Node 20. */
vm.compileFunction = (code, parameters, options) => {
  const { filename, parsingContext } = options;
  if (parsingContext === undefined) return compileFunction(code, parameters, options);
  const head = `(function (${parameters.join(', ')}) {`;
  let compiled = scripts.get(filename);
  if (compiled?.code !== code) {
    const script = new vm.Script(`${head}${code}\n})`, { filename, columnOffset: -head.length });
    scripts.set(filename, (compiled = { code, script }));
  }
  return compiled.script.runInContext(parsingContext);
};

module.exports = Runtime;
