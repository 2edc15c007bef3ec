// Turns libs/leaderboard/src/scripts/*.lua into scripts.generated.ts: Lua is the source, TypeScript the build product,
// so that a bundled build reads no file at run time. `--check` writes nothing and fails where the product is stale.
//
// A script opens with its contract, comment lines of the form
//   -- KEYS[1] board    what it is
//   -- ARGV[2]? floor   what it is, where a call may leave it out
//   -- ARGV[3..] members   a list: the rest, of any number
// Their names, in this order, are how a caller gives keys and arguments: runScript is typed by them. What is numbered
// wrongly, read without being named or named without being read, is refused here.
// `-- @include name` on a line of its own, however far indented, is replaced by scripts/include/name.lua.
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = join(dirname(fileURLToPath(import.meta.url)), '../libs/leaderboard/src/scripts');
const product = join(folder, 'scripts.generated.ts');

const include = (text) =>
  text.replace(/^ *-- @include ([\w-]+)$/gm, (_, name) =>
    readFileSync(join(folder, 'include', `${name}.lua`), 'utf8').trimEnd(),
  );

/** The names of a contract's keys or arguments with how often each stands in a call, checked against the script. */
function contract(lua, kind, file) {
  const fail = (what) => {
    throw new Error(`${file}: ${what}`);
  };
  const lines = [...lua.matchAll(new RegExp(`^-- ${kind}\\[(\\w+)(\\.\\.)?\\](\\?)? +(\\w+)`, 'gm'))];
  const code = lua.replace(/^\s*--.*$/gm, '');
  const read = new Set([...code.matchAll(new RegExp(`${kind}\\[(\\d+)\\]`, 'g'))].map((match) => Number(match[1])));
  const presences = lines.map(([line, index, list, optional], i) => {
    // Behind a list, where the next one begins is known to the call alone.
    const afterList = i > 0 && lines[i - 1][2] !== undefined;
    if (afterList ? index !== 'n' || !list : Number(index) !== i + 1) fail(`"${line}" has the wrong number.`);
    if (!list && !read.delete(i + 1)) fail(`"${line}" is named, but never read.`);
    if (!optional && !list && i > 0 && lines[i - 1][3]) fail(`"${line}" cannot follow what may be left out.`);
    return list ? 'list' : optional ? 'optional' : 'one';
  });
  const firstOfList = presences.includes('list') ? presences.indexOf('list') + 1 : Infinity;
  for (const index of read) if (index < firstOfList) fail(`${kind}[${index}] is read, but not named.`);
  return `{ ${lines.map(([, , , , name], i) => `${name}: '${presences[i]}'`).join(', ')} }`;
}

const camel = (file) => file.replace(/\.lua$/, '').replace(/-(\w)/g, (_, letter) => letter.toUpperCase());

const entries = readdirSync(folder)
  .filter((file) => file.endsWith('.lua'))
  .sort()
  .map((file) => {
    const lua = include(readFileSync(join(folder, file), 'utf8'));
    const sha1 = createHash('sha1').update(lua).digest('hex');
    return `  ${camel(file)}: {\n    name: ${JSON.stringify(camel(file))},\n    keys: ${contract(lua, 'KEYS', file)},\n    args: ${contract(lua, 'ARGV', file)},\n    sha1: '${sha1}',\n    lua: ${JSON.stringify(lua)},\n  },`;
  });

const text = `// Generated from scripts/*.lua by \`npm run generate\`. Do not edit.

/** The names of a script's keys or arguments in their order: each stands in a call once, perhaps, or any number of times. */
export type Names = Readonly<Record<string, 'one' | 'optional' | 'list'>>;

/** A Lua script with the names of its keys and arguments, as its contract header lists them. */
export interface Script<K extends Names = Names, A extends Names = Names> {
  readonly name: string;
  readonly keys: K;
  readonly args: A;
  readonly sha1: string;
  readonly lua: string;
}

/** Every script of the engine, by its name; {@link runScript} runs one. */
export const scripts = {
${entries.join('\n')}
} as const satisfies Record<string, Script>;
`;

if (process.argv.includes('--check')) {
  if (text !== readFileSync(product, 'utf8')) {
    console.error('scripts.generated.ts is stale: run `npm run generate` and commit it.');
    process.exit(1);
  }
} else {
  writeFileSync(product, text);
}
