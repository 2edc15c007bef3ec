// What fills the generated parts of pages: a part lies between `<!-- <kind> of <what> -->` and `<!-- /<kind> -->`.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import prettier from 'prettier';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const check = process.argv.includes('--check');

/** A text as a cell of a table. */
export const cell = (text) => text.replaceAll('|', '\\|');

export const tableOf = (heads, rows) =>
  [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/**
 * Makes the parts of this kind in a page anew, each from what its marker names. Where `--check` is given, nothing is
 * written, and the process fails where the page is stale.
 */
export async function fillPage(path, kind, contentOf) {
  const page = join(root, path);
  const before = readFileSync(page, 'utf8');
  const parts = new RegExp(`(<!-- ${kind} of (.+) -->\n)[^]*?(<!-- /${kind} -->)`, 'g');
  if (!parts.test(before)) throw new Error(`${path} has no "<!-- ${kind} of … -->".`);
  const filled = before.replace(parts, (_, start, what, end) => `${start}\n${contentOf(what)}\n\n${end}`);
  const text = await prettier.format(filled, { ...(await prettier.resolveConfig(page)), parser: 'markdown' });
  if (!check) writeFileSync(page, text);
  else if (text !== before) {
    console.error(`${path} is stale: run \`npm run generate\` and commit it.`);
    process.exit(1);
  }
}
