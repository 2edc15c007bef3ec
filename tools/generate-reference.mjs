// Writes the tables of docs/metrics.md and docs/errors.md from the sources: each metric from where it is made, by its
// name, help and labels, and each code of an error from its comment, without which both are refused; and that of
// docs/invariants.md from the names in test/.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { fillPage, root, tableOf } from './pages.mjs';
import { failAt, sourcesOf, within } from './sources.mjs';

/** A text, as it is written or by the name of a constant of the same file. */
function textOf(node) {
  if (!node || !ts.isIdentifier(node)) return node?.text;
  const isIt = (one) => ts.isVariableDeclaration(one) && one.name.getText() === node.text;
  return textOf([...within(node.getSourceFile())].find(isIt)?.initializer);
}

/** The row of the metric that `{ name: 'laurel_…', help, … }` or `make('laurel_…', 'help', …)` makes, if one does. */
function rowOf(node) {
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
  const rows = names.flatMap(rowOf).sort(([a], [b]) => (a < b ? -1 : 1));
  return tableOf(['metric', 'kind', 'labels', 'tells'], rows);
}

/** The codes of a union of texts, each with the comment beside it and the status that HTTP answers. */
function codes(file, union) {
  const said = (path) => readFileSync(join(root, path), 'utf8');
  const mapped = said('libs/activity/src/core/http/problem.ts');
  const statuses = [...mapped.matchAll(/^ {2}(\w+): { status: (\d+)/gm)];
  const [, lines = ''] = new RegExp(`type ${union} =\n((?: {2}\\|.*\n)+)`).exec(said(file)) ?? [];
  const rows = lines.match(/.+/g).map((line) => {
    const [, code, meaning] = /^ {2}\| '(\w+)';? \/\/ (.+)$/.exec(line) ?? [];
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

await fillPage('docs/invariants.md', 'tests', tests);
await fillPage('docs/metrics.md', 'metrics', metrics);
await fillPage('docs/errors.md', 'codes', (what) => codes(...what.split(' ')));
