// Writes tables of options from their interfaces, and those of docs/environment.md from where the variables of the
// example app are read: each with its default (`@defaultValue`) and what its comment says, an option with its type too.
// Without a comment it is refused, and so is what may be left out and has no default there.
// `--check` writes nothing and fails where a page is stale.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { cell, fillPage, root, tableOf } from './pages.mjs';

const oneLine = (text) => text.replace(/\s+/g, ' ').trim();

/** The words of a comment, with the names that it links to as code. */
function wordsOf(comment) {
  const parts = typeof comment === 'string' ? [{ text: comment }] : (comment ?? []);
  return oneLine(parts.map((part) => (part.name ? `\`${part.name.getText()}\`` : part.text)).join(''));
}

const docOf = (node) => (node.jsDoc ?? []).at(-1);

/** The statements of a file. */
function statementsIn(file) {
  const text = readFileSync(join(root, file), 'utf8');
  return ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true).statements;
}

/** The interfaces of a file, by their names. */
const interfacesIn = (file) =>
  new Map(
    statementsIn(file)
      .filter(ts.isInterfaceDeclaration)
      .map((found) => [found.name.text, found]),
  );

/** The schemas that an object of this name has in a file. */
function schemasIn(file, name) {
  const found = statementsIn(file)
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => declarationList.declarations)
    .find((declaration) => declaration.name.getText() === name);
  if (!found) throw new Error(`${file} has no ${name}.`);
  return found.initializer.properties.filter(ts.isPropertyAssignment);
}

/** The properties of an interface and of those of its file that it extends, without what `Omit` names. */
function propertiesOf(found, interfaces) {
  const inherited = (found.heritageClauses ?? [])
    .flatMap(({ types }) => types)
    .flatMap(({ expression, typeArguments = [] }) => {
      const isOmit = expression.getText() === 'Omit';
      const base = interfaces.get(isOmit ? typeArguments[0].getText() : expression.getText());
      const omitted = isOmit ? typeArguments[1].getText() : '';
      return base ? propertiesOf(base, interfaces).filter(({ name }) => !omitted.includes(`'${name}'`)) : [];
    });
  const own = found.members.filter(ts.isPropertySignature).map((node) => ({ name: node.name.getText(), node }));
  const names = new Set(own.map(({ name }) => name));
  return [...own, ...inherited.filter(({ name }) => !names.has(name))];
}

/** A type as a reader needs it: nobody writes to options, and all that may be left out may be undefined. */
function typeOf({ type }) {
  const text = oneLine(type.getText())
    .replaceAll(/\breadonly /g, '')
    .replaceAll(/^Readonly<(.*)>$/g, '$1')
    .replaceAll(' | undefined', '')
    .replace(/^\((.*)\)$/, '$1');
  return `\`${text}\``;
}

/** The default, or null, and the meaning that a comment says. */
function saidBy(doc, fail) {
  const meaning = wordsOf(doc?.comment);
  if (meaning === '') fail('has no comment');
  const byDefault = doc.tags?.find(({ tagName }) => tagName.text === 'defaultValue');
  return [byDefault ? wordsOf(byDefault.comment) : null, meaning];
}

/** The default of an option, and what it means. */
function meaningOf(node, found, fail) {
  // What tells a kind of limit from others means what that kind means.
  const isKind = ts.isLiteralTypeNode(node.type) || ts.isUnionTypeNode(node.type);
  const [byDefault, meaning] = saidBy(docOf(node) ?? (isKind ? docOf(found) : undefined), fail);
  if (node.questionToken && byDefault === null) fail('has no @defaultValue');
  return [byDefault ?? 'required', meaning];
}

const failAt = (file, name) => (fault) => {
  throw new Error(`${file}: ${name} ${fault}.`);
};

/** The table of the options in some interfaces of a file: `ControllerConfig in libs/activity/src/…`. */
function options(what) {
  const [names, file] = what.split(' in ');
  const interfaces = interfacesIn(file);
  const rows = names.split(', ').flatMap((name) => {
    const found = interfaces.get(name);
    if (!found) throw new Error(`${file} has no interface ${name}.`);
    return propertiesOf(found, interfaces).map(({ name: option, node }) => [
      `\`${option}\``,
      ...meaningOf(node, found, failAt(file, `${name}.${option}`)),
      typeOf(node),
    ]);
  });
  const unique = [...new Map(rows.map((row) => [row[0], row])).values()];
  return tableOf(
    ['option', 'default', 'meaning', 'type'],
    unique.map((row) => row.map(cell)),
  );
}

/** The table of the variables that some objects of schemas read: `redisVariables in libs/…, …`. */
function variables(what) {
  const rows = what.split(', ').flatMap((part) => {
    const [objectName, file] = part.split(' in ');
    return schemasIn(file, objectName).map((node) => {
      const name = node.name.getText();
      const fail = failAt(file, name);
      const [byDefault, meaning] = saidBy(docOf(node), fail);
      return [`\`${name}\``, byDefault ?? fail('has no @defaultValue'), meaning];
    });
  });
  return tableOf(
    ['variable', 'default', 'meaning'],
    rows.map((row) => row.map(cell)),
  );
}

const pages = ['docs/options.md', 'docs/receive-activities.md', 'libs/leaderboard/README.md', 'libs/outbox/README.md'];
for (const page of pages) await fillPage(page, 'options', options);
await fillPage('docs/environment.md', 'variables', variables);
