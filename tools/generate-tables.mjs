// Writes the documents' tables that are read from the sources: the keys of Redis, metrics, codes of errors, tests,
// options and variables. What has no comment to make its row of is refused. A key maker is a template such as
// `{${prefix}:${tag}}:days:${member}` under a comment of the form
//   /** What the key holds. @redis its type and content @expires when it goes */
// A template that begins like a key of ours and has no such comment is refused too. Left out: SCAN patterns, and keys
// that are put together of a name that another maker gave.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { fillPage, root, tableOf } from './pages.mjs';
import { commentOf, failAt, parsed, sourcesOf, within } from './sources.mjs';

/** `prefix` is shown by its default, all else by its name. */
function placeholder(expression) {
  if (ts.isIdentifier(expression)) return expression.text === 'prefix' ? 'lr' : `<${expression.text}>`;
  if (ts.isPropertyAccessExpression(expression)) return placeholder(expression.name);
  if (ts.isBinaryExpression(expression)) return placeholder(expression.left);
  if (ts.isCallExpression(expression) && ts.isIdentifier(expression.expression))
    return `<${expression.expression.text.replace(/Of$/, '')}>`;
  return failAt(expression)('stands in a key: use a name, a property or a call of a named function');
}

/** The comment that describes a key, on the nearest statement or property around its template. */
function describedBy(node) {
  const isDescribed = (at) => commentOf(at)?.redis;
  const isLast = (at) => ts.isClassElement(at) || (ts.isStatement(at) && commentOf(at));
  const found = ts.findAncestor(node, (at) => isDescribed(at) || isLast(at));
  return found && isDescribed(found) ? commentOf(found) : null;
}

/** The row of the key that a template makes, if it makes one. */
function keyOf(node) {
  const nameBy = (shown) =>
    node.templateSpans.reduce(
      (text, { expression, literal }) => text + shown(expression) + literal.text,
      node.head.text,
    );
  const described = describedBy(node);
  if (described) {
    if (!described.expires) failAt(node)('has no @expires that says when the key goes');
    return [[`\`${nameBy(placeholder)}\``, described.meaning, described.redis, described.expires]];
  }
  if (/^\{\?(:\?)?\}:[\w-][^*]*$/.test(nameBy(() => '?')))
    failAt(node)('makes a Redis key: describe it by a comment with @redis and @expires');
  return [];
}

/** The table of a room's keys: those of one shard first. */
function keys(room) {
  const templates = sourcesOf(room, /`\{\$\{|@redis/).flatMap((source) =>
    [...within(source)].filter(ts.isTemplateExpression),
  );
  const order = ([name]) => (name.includes('<tag>') ? '0' : '1') + name.slice(1, -1);
  const rows = templates.flatMap(keyOf).sort((a, b) => (order(a) < order(b) ? -1 : 1));
  return tableOf(['key', 'holds', 'type', 'expires'], rows);
}

/** A text, as it is written or by the name of a constant of the same file. */
function textOf(node) {
  if (!node || !ts.isIdentifier(node)) return node?.text;
  const isIt = (one) => ts.isVariableDeclaration(one) && one.name.getText() === node.text;
  return textOf([...within(node.getSourceFile())].find(isIt)?.initializer);
}

/** The row of the metric that `{ name: 'laurel_…', help, … }` or `make('laurel_…', 'help', …)` makes, if one does. */
function metricOf(node) {
  const { parent } = node;
  const isNamed = ts.isPropertyAssignment(parent) && parent.name.getText() === 'name';
  if (!isNamed && !ts.isCallExpression(parent)) return [];
  const property = (name) => parent.parent.properties?.find((one) => one.name?.getText() === name);
  const given = property('help');
  const after = isNamed ? (given?.initializer ?? given?.name) : parent.arguments[parent.arguments.indexOf(node) + 1];
  const help = textOf(after);
  if (!help) failAt(node)('has no help that is a text');
  const labels = (isNamed && property('labelNames')?.initializer?.elements?.map(textOf)) || [];
  const made = ts.findAncestor(node, (at) => ts.isNewExpression(at) || ts.isCallExpression(at));
  const isHistogram = /histogram$/i.test(made?.expression.getText());
  const kind = node.text.endsWith('_total') ? 'counter' : isHistogram ? 'histogram' : 'gauge';
  return [[`\`${node.text}\``, kind, labels.map((label) => `\`${label}\``).join(', '), help]];
}

/** The metrics that a room makes. */
function metrics(room) {
  const isName = (node) => ts.isStringLiteralLike(node) && /^laurel_[a-z_]+$/.test(node.text);
  const names = sourcesOf(room, /'laurel_/).flatMap((source) => [...within(source)].filter(isName));
  const rows = names.flatMap(metricOf).sort(([a], [b]) => (a < b ? -1 : 1));
  return tableOf(['metric', 'kind', 'labels', 'tells'], rows);
}

/** The codes of a union of texts, or of a table of their statuses, each with the comment beside it and its status. */
function codes(file, union) {
  const said = (path) => readFileSync(join(root, path), 'utf8');
  const mapped = ['errors/errors.ts', 'http/problem.ts'].map((path) => said(`libs/activity/src/core/${path}`)).join('');
  const statuses = [...mapped.matchAll(/^ {2}(\w+): (\d{3}),/gm)];
  const listed = new RegExp(`type ${union} =\n((?: {2}\\|.*\n)+)`).exec(said(file));
  const [, lines = ''] = listed ?? /^export const \w+ = \{\n((?: {2}.*\n)+)/m.exec(said(file)) ?? [];
  const rows = lines.match(/.+/g).map((line) => {
    const [, code, meaning] = /^ {2}(?:\| ')?(\w+)(?:';?|: \d+,) \/\/ (.+)$/.exec(line) ?? [];
    if (code === undefined) throw new Error(`${file}: "${line.trim()}" has no comment.`);
    return [`\`${code}\``, statuses.find(([, one]) => one === code)?.[2] ?? '', meaning];
  });
  return tableOf(['code', 'HTTP', 'means'], rows);
}

/** The specs below some folders of test/, each with what it describes. */
function tests(folders) {
  const namesIn = (folder) => readdirSync(join(root, 'test', folder)).map((name) => `${folder}/${name}`);
  const specs = folders.split(', ').flatMap(namesIn).sort();
  const rowOfTest = (spec) => {
    const text = spec.endsWith('.spec.ts') ? readFileSync(join(root, 'test', spec), 'utf8') : '';
    const described = text.matchAll(/^(?:describe(?:\.each\(.*\))?|\]\)|\}\))\((['"`])(.+?)\1, /gm);
    const titles = [...described].map(([, , title]) =>
      title.replace(/,? (?:on|of) [%$]\w+(?: shards)?,?|^on [%$]\w+$/g, ''),
    );
    return [`[${spec}](../test/${spec})`, titles.filter((title) => title && !/[$%]/.test(title)).join('; ')];
  };
  const rows = specs.map(rowOfTest).filter(([, titles]) => titles);
  return tableOf(['test', 'of'], rows);
}

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
function optionOf(node, comment, isRequired) {
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
      return [...optionOf(node, comment, !node.questionToken), `\`${typeOf(node)}\``];
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
    return properties.filter(ts.isPropertyAssignment).map((node) => optionOf(node, commentOf(node), false));
  });
  return tableOf(['variable', 'default', 'meaning'], rows);
}

await fillPage('docs/keys.md', 'keys', keys);
await fillPage('docs/invariants.md', 'tests', tests);
await fillPage('docs/metrics.md', 'metrics', metrics);
await fillPage('docs/errors.md', 'codes', (what) => codes(...what.split(' ')));
const pages = ['docs/options.md', 'docs/receive-activities.md', 'libs/leaderboard/README.md', 'libs/outbox/README.md'];
for (const page of pages) await fillPage(page, 'options', options);
await fillPage('docs/environment.md', 'variables', variables);
