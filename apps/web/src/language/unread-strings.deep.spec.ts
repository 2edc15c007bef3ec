import ts from 'typescript';

const catalogue = /\/language\/(?:en|zh)\.ts$/;
const english = /\/language\/en\.ts$/;

/** A string that no page reads, put beside those of the catalogue: what finds no other must find this one. */
const seeded = 'readByNobody';

/** The pages and what they say, as the compiler sees them. */
function compiled(): ts.Program {
  const folder = `${ts.sys.getCurrentDirectory()}/apps/web`;
  const { config } = ts.readConfigFile(`${folder}/tsconfig.json`, (file) => ts.sys.readFile(file)) as {
    config: unknown;
  };
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, folder);
  const host = ts.createCompilerHost(options);
  const readFile = host.readFile.bind(host);
  host.readFile = (file) => {
    const text = readFile(file);
    return english.test(file) ? text?.replace('export const en = {', `$& ${seeded}: '',`) : text;
  };
  const pages = fileNames.filter((file) => !file.endsWith('.spec.ts'));
  return ts.createProgram({ rootNames: pages, options: { ...options, types: ['vite/client'] }, host });
}

it('the strings of the pages are each read by some page', () => {
  const program = compiled();
  const checker = program.getTypeChecker();
  const read = new Set<ts.Declaration>();
  const note = (type: ts.Type, key: string) => {
    const declaration = type.getProperty(key)?.valueDeclaration;
    if (declaration) read.add(declaration);
  };

  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node)) {
      note(checker.getTypeAtLocation(node.expression), node.name.text);
    } else if (ts.isElementAccessExpression(node)) {
      // By the keys that its type allows.
      const keys = checker.getTypeAtLocation(node.argumentExpression);
      const table = checker.getTypeAtLocation(node.expression);
      for (const key of keys.isUnion() ? keys.types : [keys]) if (key.isStringLiteral()) note(table, key.value);
    } else if (ts.isBindingElement(node)) {
      note(checker.getTypeAtLocation(node.parent), (node.propertyName ?? node.name).getText());
    }
    ts.forEachChild(node, visit);
  };
  for (const file of program.getSourceFiles())
    if (file.fileName.includes('/apps/web/src/') && !catalogue.test(file.fileName)) visit(file);

  /** The paths of what nobody reads: of a table that nobody reads, its own. */
  const unread = (type: ts.Type, path = ''): string[] =>
    type.getProperties().flatMap((property) => {
      const declaration = property.valueDeclaration;
      if (!declaration || !english.test(declaration.getSourceFile().fileName)) return [];
      const name = `${path}${property.name}`;
      return read.has(declaration) ? unread(checker.getTypeOfSymbol(property), `${name}.`) : [name];
    });
  const file = program.getSourceFiles().find(({ fileName }) => english.test(fileName));
  const [en] = checker.getExportsOfModule(checker.getSymbolAtLocation(file!)!).filter((symbol) => symbol.name === 'en');
  expect(unread(checker.getTypeOfSymbol(en!))).toEqual([seeded]);
});
