// Writes the tables of docs/keys.md from where Redis keys are made. A key maker is a template such as
// `{${prefix}:${tag}}:days:${member}` under a comment of the form
//   /** What the key holds. @redis its type and content @expires when it goes */
// A template that begins like a key of ours and has no such comment is refused. `--check` writes nothing and fails
// where the page is stale. Left out: SCAN patterns, and keys that are put together of a name that another maker gave.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { cell, fillPage, root, tableOf } from './pages.mjs';

/** `prefix` is shown by its default, all else by its name. */
function placeholder(expression, fail) {
  if (ts.isIdentifier(expression)) return expression.text === 'prefix' ? 'lr' : `<${expression.text}>`;
  if (ts.isPropertyAccessExpression(expression)) return placeholder(expression.name, fail);
  if (ts.isBinaryExpression(expression)) return placeholder(expression.left, fail);
  if (ts.isCallExpression(expression) && ts.isIdentifier(expression.expression))
    return `<${expression.expression.text.replace(/Of$/, '')}>`;
  return fail('use a name, a property or a call of a named function in each place of a key');
}

/** The comment that describes a key, on the nearest statement or property around its template. */
function describedBy(node) {
  for (let at = node; at && !ts.isSourceFile(at); at = at.parent) {
    const docs = (at.jsDoc ?? []).filter((doc) => (doc.tags ?? []).some((tag) => tag.tagName.text === 'redis'));
    if (docs.length > 0) return docs.at(-1);
    if (ts.isClassElement(at) || (ts.isStatement(at) && at.jsDoc)) return null;
  }
  return null;
}

const textOf = (comment) => (ts.getTextOfJSDocComment(comment) ?? '').replace(/\s+/g, ' ').trim();

/** The keys that one file makes. */
function keysIn(file) {
  const code = readFileSync(join(root, file), 'utf8');
  if (!code.includes('`{${') && !code.includes('@redis')) return [];
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true);
  const found = [];
  const visit = (node) => {
    if (ts.isTemplateExpression(node)) {
      const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      const fail = (what) => {
        throw new Error(`${file}:${line}: ${what}.`);
      };
      const doc = describedBy(node);
      const shape = node.templateSpans.reduce((text, span) => `${text}?${span.literal.text}`, node.head.text);
      if (doc) {
        const tags = Object.fromEntries(doc.tags.map((tag) => [tag.tagName.text, textOf(tag.comment)]));
        if (!tags.expires) fail('say with @expires when the key goes');
        const name = node.templateSpans.reduce(
          (text, span) => text + placeholder(span.expression, fail) + span.literal.text,
          node.head.text,
        );
        found.push({ name, holds: textOf(doc.comment), type: tags.redis, expires: tags.expires });
      } else if (/^\{\?(:\?)?\}:[\w-][^*]*$/.test(shape))
        fail(`${node.getText()} makes a Redis key: describe it by a comment with @redis and @expires`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const byName = (a, b) => (a.name < b.name ? -1 : 1);

/** The table of a room's keys: those of one shard first. */
function table(room) {
  const files = readdirSync(join(root, room, 'src'), { recursive: true })
    .filter((file) => /\.ts$/.test(file) && !/\.(spec|generated)\.ts$/.test(file))
    .map((file) => join(room, 'src', file));
  const keys = files.flatMap(keysIn);
  const rows = [...keys.filter(({ name }) => name.includes('<tag>')).sort(byName)];
  rows.push(...keys.filter(({ name }) => !name.includes('<tag>')).sort(byName));
  return tableOf(
    ['key', 'holds', 'type', 'expires'],
    rows.map(({ name, holds, type, expires }) => [`\`${name}\``, ...[holds, type, expires].map(cell)]),
  );
}

await fillPage('docs/keys.md', 'keys', table);
