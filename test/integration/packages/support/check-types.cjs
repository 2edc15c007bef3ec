'use strict';
// Checks the types of a project, in whose folder it runs, and of our packages' declarations in it; those of other
// packages are theirs to check: `skipLibCheck` would leave out ours as well, and without it most of the time goes into
// theirs. `--emit` also writes what the project compiles to; TYPESCRIPT says where another compiler lies.
const { join } = require('node:path');
const ts = require(process.env.TYPESCRIPT ?? 'typescript');

const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: ({ messageText }) => console.error(messageText) };
const given = process.argv.find((argument) => argument.endsWith('.json')) ?? 'tsconfig.json';
const { fileNames, options } = ts.getParsedCommandLineOfConfigFile(join(process.cwd(), given), {}, host);
const program = ts.createProgram(fileNames, options);
const ours = program
  .getSourceFiles()
  .filter(({ fileName }) => !fileName.includes('/node_modules/') || fileName.includes('/node_modules/@laurel/'));
const faults = [
  ...program.getOptionsDiagnostics(),
  ...ours.flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]),
];
if (process.argv.includes('--emit')) program.emit();
const names = { getCurrentDirectory: process.cwd, getCanonicalFileName: (name) => name, getNewLine: () => '\n' };
if (faults.length > 0) console.error(ts.formatDiagnostics(faults, names));
console.log(`${ours.length} files, ${faults.length} faults`);
process.exitCode = faults.length > 0 ? 1 : 0;
