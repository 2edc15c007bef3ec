// Writes the tables of docs/metrics.md and docs/errors.md from the sources: each metric from where it is made, by its
// name, its help and its labels, and each code of an error from its comment. A metric without help is refused, and so
// is a code without a comment. `--check` writes nothing and fails where a page is stale.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { cell, fillPage, root, tableOf } from './pages.mjs';

function sourcesOf(room) {
  const files = readdirSync(join(root, room, 'src'), { recursive: true, encoding: 'utf8' });
  return files.filter((file) => /\.ts$/.test(file) && !/\.(spec|generated)\.ts$/.test(file)).sort();
}

/** A text or a number, as it is written or by the name of a constant of the same file, put together or not. */
function textOf(node) {
  if (!node) return undefined;
  if (ts.isStringLiteralLike(node) || ts.isNumericLiteral(node)) return node.text;
  if (ts.isIdentifier(node)) return declared(node.getSourceFile(), node.text);
  const parts = ts.isTemplateExpression(node)
    ? [node.head.text, ...node.templateSpans.flatMap(({ expression, literal }) => [textOf(expression), literal.text])]
    : ts.isBinaryExpression(node)
      ? [textOf(node.left), textOf(node.right)]
      : [undefined];
  return parts.includes(undefined) ? undefined : parts.join('');
}

/** What a name of the same file was declared as. */
function declared(source, name) {
  let found;
  const visit = (node) => {
    if (ts.isVariableDeclaration(node) && node.name.getText() === name) found ??= textOf(node.initializer);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** `name`, `help` and `labelNames` of `{ name: 'laurel_…', help, … }`, or of `make('laurel_…', 'help', …)`. */
function metricOf(node) {
  if (ts.isPropertyAssignment(node.parent) && node.parent.name.getText() === 'name') {
    const property = (name) => node.parent.parent.properties.find((one) => one.name?.getText() === name);
    const help = property('help');
    const labels = property('labelNames')?.initializer?.elements?.map(textOf) ?? [];
    return { help: textOf(help?.initializer ?? help?.name), labels };
  }
  return ts.isCallExpression(node.parent) ? { help: textOf(node.parent.arguments[1]), labels: [] } : undefined;
}

function kindOf(name, node) {
  if (name.endsWith('_total')) return 'counter';
  for (let at = node.parent; at && !ts.isStatement(at); at = at.parent) {
    const made = ts.isNewExpression(at) || ts.isCallExpression(at) ? at.expression.getText() : '';
    if (/histogram$/i.test(made)) return 'histogram';
  }
  return 'gauge';
}

/** The metrics that a room makes. */
function metrics(room) {
  const rows = sourcesOf(room).flatMap((file) => {
    const text = readFileSync(join(root, room, 'src', file), 'utf8');
    if (!text.includes("'laurel_")) return [];
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    const found = [];
    const visit = (node) => {
      const name = ts.isStringLiteralLike(node) ? node.text : undefined;
      if (name && /^laurel_[a-z_]+$/.test(name)) {
        const metric = metricOf(node);
        if (metric && !metric.help) throw new Error(`${room}/src/${file}: ${name} has no help that is a text.`);
        if (metric) found.push({ name, kind: kindOf(name, node), ...metric });
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
    return found;
  });
  const cells = rows
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, kind, labels, help }) => [
      `\`${name}\``,
      kind,
      labels.map((label) => `\`${label}\``).join(', '),
      cell(help),
    ]);
  return tableOf(['metric', 'kind', 'labels', 'tells'], cells);
}

/** The codes of a union of texts, each with the comment beside it and the status that HTTP answers. */
function codes(file, union) {
  const problems = readFileSync(join(root, 'libs/activity/src/http/problem.ts'), 'utf8');
  const [, mapped = ''] = new RegExp(`Record<${union}, Mapping> = {\n([^}]*(?:}[^}]*)*?)^};`, 'm').exec(problems) ?? [];
  const statuses = new Map(
    [...mapped.matchAll(/^ {2}(\w+): { status: (\d+)/gm)].map(([, code, status]) => [code, status]),
  );
  const text = readFileSync(join(root, file), 'utf8');
  const [, lines = ''] = new RegExp(`type ${union} =\n((?: {2}\\|.*\n)+)`).exec(text) ?? [];
  const rows = lines
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [, code, meaning] = /^ {2}\| '(\w+)';? \/\/ (.+)$/.exec(line) ?? [];
      if (code === undefined) throw new Error(`${file}: "${line.trim()}" has no comment.`);
      return [`\`${code}\``, statuses.get(code) ?? '', cell(meaning)];
    });
  if (rows.length === 0) throw new Error(`${file} has no ${union}.`);
  return tableOf(['code', 'HTTP', 'means'], rows);
}

await fillPage('docs/metrics.md', 'metrics', metrics);
await fillPage('docs/errors.md', 'codes', (what) => codes(...what.split(' ')));
