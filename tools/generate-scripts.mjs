// Turns libs/leaderboard/src/scripts/*.lua into scripts.generated.ts: Lua is the source, TypeScript the build product,
// so that a bundled build reads no file at run time. `--check` writes nothing and fails where the product is stale.
//
// A script opens with its contract, comment lines of the form
//   -- KEYS[1] board    what it is          (KEYS[1..] for a list)
//   -- ARGV[2] member   what it is
// whose names go into the product, where a spec compares them with the TypeScript twin.
// `-- @include name` on a line of its own is replaced by scripts/include/name.lua.
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = join(dirname(fileURLToPath(import.meta.url)), '../libs/leaderboard/src/scripts');
const product = join(folder, 'scripts.generated.ts');

const include = (text) =>
  text.replace(/^-- @include ([\w-]+)$/gm, (_, name) =>
    readFileSync(join(folder, 'include', `${name}.lua`), 'utf8').trimEnd(),
  );

const named = (text, kind) =>
  [...text.matchAll(new RegExp(`^-- ${kind}\\[[^\\]]+\\] +(\\w+)`, 'gm'))].map((match) => match[1]);

const camel = (file) => file.replace(/\.lua$/, '').replace(/-(\w)/g, (_, letter) => letter.toUpperCase());

const entries = readdirSync(folder)
  .filter((file) => file.endsWith('.lua'))
  .sort()
  .map((file) => {
    const lua = include(readFileSync(join(folder, file), 'utf8'));
    const sha1 = createHash('sha1').update(lua).digest('hex');
    const list = (names) => JSON.stringify(names);
    return `  ${camel(file)}: {\n    name: ${JSON.stringify(camel(file))},\n    keys: ${list(named(lua, 'KEYS'))},\n    args: ${list(named(lua, 'ARGV'))},\n    sha1: '${sha1}',\n    lua: ${JSON.stringify(lua)},\n  },`;
  });

const text = `// Generated from scripts/*.lua by \`npm run generate\`. Do not edit.

/** A Lua script with the names of its keys and arguments, as its contract header lists them. */
export interface Script {
  readonly name: string;
  readonly keys: readonly string[];
  readonly args: readonly string[];
  readonly sha1: string;
  readonly lua: string;
}

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
