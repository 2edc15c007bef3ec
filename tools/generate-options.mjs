// Writes the tables of docs/options.md from the interfaces of the options: each option with its type, its default
// (`@defaultValue`) and what its comment says. An option without a comment is refused, and so is one that may be left
// out and does not say what is taken then. `--check` writes nothing and fails where the page is stale.
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

/** The interfaces of a file, by their names. */
function interfacesIn(file) {
  const source = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest, true);
  return new Map(source.statements.filter(ts.isInterfaceDeclaration).map((found) => [found.name.text, found]));
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

/** The default of an option, and what it means. */
function meaningOf(node, found, fail) {
  // What tells a kind of limit from others means what that kind means.
  const doc =
    docOf(node) ?? (ts.isLiteralTypeNode(node.type) || ts.isUnionTypeNode(node.type) ? docOf(found) : undefined);
  const meaning = wordsOf(doc?.comment);
  if (meaning === '') fail('has no comment');
  const byDefault = wordsOf(doc.tags?.find(({ tagName }) => tagName.text === 'defaultValue')?.comment);
  if (node.questionToken && byDefault === '') fail('has no @defaultValue');
  return [byDefault || 'required', meaning];
}

/** The table of the options in some interfaces of a file: `ControllerConfig in libs/activity/src/…`. */
function options(what) {
  const [names, file] = what.split(' in ');
  const interfaces = interfacesIn(file);
  const rows = names.split(', ').flatMap((name) => {
    const found = interfaces.get(name);
    if (!found) throw new Error(`${file} has no interface ${name}.`);
    return propertiesOf(found, interfaces).map(({ name: option, node }) => {
      const fail = (fault) => {
        throw new Error(`${file}: ${name}.${option} ${fault}.`);
      };
      return [`\`${option}\``, typeOf(node), ...meaningOf(node, found, fail)];
    });
  });
  const unique = [...new Map(rows.map((row) => [row[0], row])).values()];
  return tableOf(
    ['option', 'type', 'default', 'meaning'],
    unique.map((row) => row.map(cell)),
  );
}

await fillPage('docs/options.md', 'options', options);
