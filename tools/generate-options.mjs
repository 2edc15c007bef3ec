// Writes tables of options from their interfaces, and those of docs/environment.md from where the variables of the
// example app are read: each with its default (`@defaultValue`) and what its comment says, an option with its type too.
// Without a comment it is refused, and so is what may be left out and has no default there.
import ts from 'typescript';
import { fillPage, tableOf } from './pages.mjs';
import { commentOf, failAt, parsed, within } from './sources.mjs';

/** What is declared by this name in a file: an interface, or an object. */
function declared(file, name) {
  const isIt = (node) =>
    (ts.isInterfaceDeclaration(node) || ts.isVariableDeclaration(node)) && node.name.getText() === name;
  return [...within(parsed(file))].find(isIt) ?? failAt(parsed(file))(`has no ${name}`);
}

/** The properties of an interface and of those of its file that it extends, without what `Omit` names. */
function propertiesOf(found) {
  const file = found.getSourceFile();
  const inherited = (found.heritageClauses ?? [])
    .flatMap(({ types }) => types)
    .flatMap((type) => {
      const [base, omitted] = /^Omit<(\w+), (.*)>$/.exec(type.getText())?.slice(1) ?? [type.getText(), ''];
      const itself = file.statements.find((one) => ts.isInterfaceDeclaration(one) && one.name.text === base);
      return itself ? propertiesOf(itself).filter(({ name }) => !omitted.includes(`'${name.getText()}'`)) : [];
    });
  const own = found.members.filter(ts.isPropertySignature);
  const names = own.map(({ name }) => name.getText());
  return [...own, ...inherited.filter(({ name }) => !names.includes(name.getText()))];
}

/** A type as a reader needs it: nobody writes to options, and all that may be left out may be undefined. */
const typeOf = ({ type }) =>
  type
    .getText()
    .replace(/\s+/g, ' ')
    .replaceAll(/\breadonly /g, '')
    .replaceAll(/^Readonly<(.*)>$/g, '$1')
    .replaceAll(' | undefined', '')
    .replace(/^\((.*)\)$/, '$1');

/** The row of an option or a variable: its name, its default, what it means. */
function rowOf(node, comment, isRequired) {
  const { meaning, defaultValue } = comment ?? {};
  if (!meaning) failAt(node)('has no comment');
  if (!isRequired && !defaultValue) failAt(node)('has no @defaultValue');
  return [`\`${node.name.getText()}\``, defaultValue ?? 'required', meaning];
}

/** The table of the options in some interfaces of a file: `ControllerConfig in libs/activity/src/…`. */
function options(what) {
  const [names, file] = what.split(' in ');
  const rows = names.split(', ').flatMap((name) => {
    const found = declared(file, name);
    return propertiesOf(found).map((node) => {
      // What tells a kind of limit from others means what that kind means.
      const isKind = ts.isLiteralTypeNode(node.type) || ts.isUnionTypeNode(node.type);
      const comment = commentOf(node) ?? (isKind ? commentOf(found) : null);
      return [...rowOf(node, comment, !node.questionToken), `\`${typeOf(node)}\``];
    });
  });
  const unique = new Map(rows.map((row) => [row[0], row]));
  return tableOf(['option', 'default', 'meaning', 'type'], [...unique.values()]);
}

/** The table of the variables that some objects of schemas read: `redisVariables in libs/…, …`. */
function variables(what) {
  const rows = what.split(', ').flatMap((part) => {
    const [name, file] = part.split(' in ');
    const { properties } = declared(file, name).initializer;
    return properties.filter(ts.isPropertyAssignment).map((node) => rowOf(node, commentOf(node), false));
  });
  return tableOf(['variable', 'default', 'meaning'], rows);
}

const pages = ['docs/options.md', 'docs/receive-activities.md', 'libs/leaderboard/README.md', 'libs/outbox/README.md'];
for (const page of pages) await fillPage(page, 'options', options);
await fillPage('docs/environment.md', 'variables', variables);
