// What fills the generated parts of pages: a part lies between `<!-- <kind> of <what> -->` and `<!-- /<kind> -->`.
// With `--check` nothing is written, and the process fails where a product is stale.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..');
const check = process.argv.includes('--check');

/** A table of rows, each a list of texts. */
export const tableOf = (heads, rows) =>
  [heads, heads.map(() => '---'), ...rows.map((row) => row.map((text) => text.replaceAll('|', '\\|')))]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');

/** Writes a product, or says that the one that is there is another one. */
export function put(path, text, isSame = (before) => before === text) {
  const file = join(root, path);
  if (!check) writeFileSync(file, text);
  else if (!isSame(readFileSync(file, 'utf8'))) {
    console.error(`${path} is stale: run \`npm run generate\` and commit it.`);
    process.exitCode = 1;
  }
}

/** Makes the parts of this kind in a page anew, each from what its marker names. */
export async function fillPage(path, kind, contentOf) {
  const page = join(root, path);
  const parts = new RegExp(`(<!-- ${kind}(?: of|:) (.+?) -->\n)[^]*?(<!-- /${kind} -->)`, 'g');
  const before = readFileSync(page, 'utf8');
  if (!parts.test(before)) throw new Error(`${path} has no "<!-- ${kind} of … -->".`);
  const filled = before.replace(parts, (_, start, what, end) => `${start}\n${contentOf(what)}\n\n${end}`);
  // How wide the columns of a table are, Prettier's own check looks at.
  const unpadded = (text) => text.replace(/(?<=\|[^\n]*) +| +(?=\|)/g, ' ').replace(/-{3,}/g, '---');
  if (check) return put(path, filled, (text) => unpadded(text) === unpadded(filled));
  const { default: prettier } = await import('prettier');
  put(path, await prettier.format(filled, { ...(await prettier.resolveConfig(page)), parser: 'markdown' }));
}
