import { readFileSync } from 'node:fs';
import { join } from 'node:path';
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

describe('the names of a package', () => {
  it.each([
    ['activity', 90],
    ['leaderboard', 60],
  ])('@laurel/%s exports at most %d', (library, most) => {
    const names = exportsOf(`${library}/src/index.ts`);
    expect(names).toContain(library === 'activity' ? 'ActivityModule' : 'Leaderboard');
    expect(names.length).toBeLessThanOrEqual(most);
  });
});
