import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';

const libs = join(__dirname, '../..');

/** The names that an index exports. */
function exportsOf(index: string): string[] {
  const { statements } = parsed(join(libs, index));
  return statements.flatMap((statement) => {
    if (!ts.isExportDeclaration(statement)) throw new Error(`${index} has more than lists of exports.`);
    const names = statement.exportClause;
    if (!names || !ts.isNamedExports(names)) throw new Error(`${index} exports what it does not name.`);
    return names.elements.map(({ name }) => name.text);
  });
}

function parsed(file: string): ts.SourceFile {
  return ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
}

it.each([
  ['activity', 90],
  ['leaderboard', 60],
])('the names of a package @laurel/%s exports at most %d', (library, most) => {
  const names = exportsOf(`${library}/src/index.ts`);
  expect(names).toContain(library === 'activity' ? 'ActivityModule' : 'Leaderboard');
  expect(names.length).toBeLessThanOrEqual(most);
});

/** The files that a file of this library imports or exports from, types too; not what it requires when it needs it. */
function importsOf(file: string): string[] {
  return parsed(file).statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return [];
    const from = statement.moduleSpecifier;
    if (!from || !ts.isStringLiteral(from) || !from.text.startsWith('.')) return [];
    const path = resolve(dirname(file), from.text);
    return [`${path}.ts`, join(path, 'index.ts')].filter((one) => existsSync(one)).slice(0, 1);
  });
}

function linesOf(files: Iterable<string>): number {
  return [...files].reduce((sum, file) => sum + readFileSync(file, 'utf8').split('\n').length - 1, 0);
}

it('the core has at most 9,087 lines in all that it imports, without what is generated', () => {
  const files = new Set([join(__dirname, 'core/index.ts')]);
  for (const file of files) for (const imported of importsOf(file)) files.add(imported);
  expect(files).toContain(join(__dirname, 'core/recording/recorder.ts'));
  expect(linesOf([...files].filter((file) => !file.includes('.generated.')))).toBeLessThanOrEqual(9_087);
});

it('the module has at most 20,096 lines, without specs and what is generated', () => {
  const files = readdirSync(__dirname, { recursive: true, encoding: 'utf8' }).map((name) => join(__dirname, name));
  const sources = files.filter((file) => /\.ts$/.test(file) && !/\.(spec|generated)\.ts$/.test(file));
  expect(sources).toContain(join(__dirname, 'settlement/settler.ts'));
  expect(linesOf(sources)).toBeLessThanOrEqual(20_096);
});
