// Writes the tables of docs/keys.md from where Redis keys are made. A key maker is a template such as
// `{${prefix}:${tag}}:days:${member}` under a comment of the form
//   /** What the key holds. @redis its type and content @expires when it goes */
// A template that begins like a key of ours and has no such comment is refused. Left out: SCAN patterns, and keys that
// are put together of a name that another maker gave.
import ts from 'typescript';
import { fillPage, tableOf } from './pages.mjs';
import { commentOf, failAt, sourcesOf, within } from './sources.mjs';

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
function rowOf(node) {
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
function table(room) {
  const templates = sourcesOf(room, /`\{\$\{|@redis/).flatMap((source) =>
    [...within(source)].filter(ts.isTemplateExpression),
  );
  const order = ([name]) => (name.includes('<tag>') ? '0' : '1') + name.slice(1, -1);
  const rows = templates.flatMap(rowOf).sort((a, b) => (order(a) < order(b) ? -1 : 1));
  return tableOf(['key', 'holds', 'type', 'expires'], rows);
}

await fillPage('docs/keys.md', 'keys', table);
