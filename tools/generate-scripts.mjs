// Turns the Lua files below each library's src/scripts into its scripts.generated.ts, and those of boards that stand
// alone into board.generated.ts: Lua is the source, so that a bundled build reads no file at run time.
//
// A script opens with its contract, comment lines of the form
//   -- KEYS[1] board    what it is
//   -- ARGV[2]? floor   what it is, where a call may leave it out
//   -- ARGV[3..] members   a list: the rest, of any number
// Their names, in this order, are how a caller gives keys and arguments: runScript is typed by them. What is numbered
// wrongly, read without being named or named without being read, is refused here.
// `-- @include name` on a line of its own, however far indented, is replaced by name.lua of a folder named include.
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { put, root } from './pages.mjs';

/** The Lua files below a folder that are to be included, or the others, by their names, which are unique. */
function luaFiles(folder, isIncluded) {
  const found = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.lua') && path.split('/').includes('include') === isIncluded)
    .map((path) => [basename(path, '.lua'), readFileSync(join(folder, path), 'utf8')]);
  const files = new Map(found.sort(([a], [b]) => (a < b ? -1 : 1)));
  if (files.size < found.length) throw new Error(`${folder}: two files have one name.`);
  return files;
}

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

/**
 * The records of a script: `-- @record NAME` numbers the fields that follow it, as `.field`, from 1, `-- @codes NAME`
 * from 0. Where the script says `NAME.field` it reads the number: TypeScript writes such a list by the same names, and
 * nobody counts positions.
 */
function numbered(lua, file) {
  const records = new Map();
  for (const [, kind, name, block] of lua.matchAll(/^-- @(record|codes) ([A-Z]+)(.*(?:\n-- {3}.*)*)/gm)) {
    if (records.has(name)) throw new Error(`${file}: ${name} is there twice.`);
    const [opening, ...lines] = block.split('\n');
    const listed = [opening, ...lines.map((line) => /^-- {3}((?:\.\w+ ?)*)/.exec(line)[1])].join(' ');
    const fields = [...listed.matchAll(/\.(\w+)/g)].map(([, field]) => field);
    records.set(name, { first: kind === 'record' ? 1 : 0, fields });
  }
  const code = lua.replace(/^(?!\s*--).+$/gm, (line) =>
    line.replace(/\b([A-Z]+)\.(\w+)/g, (named, name, field) => {
      if (!records.has(name)) return named;
      const { first, fields } = records.get(name);
      if (!fields.includes(field)) throw new Error(`${file}: ${name} has no field ${field}.`);
      return first + fields.indexOf(field);
    }),
  );
  const listed = [...records].map(([name, { fields }]) => `${name.toLowerCase()}: ${JSON.stringify(fields)}`);
  return { lua: code, records: `{ ${listed.join(', ')} }` };
}

const camel = (name) => name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());

/** The TypeScript of a library's scripts; of those in one of its folders, or of the others beside a folder's. */
function product(folder, types, doc, { part, beside } = {}) {
  const notThere = (name) => {
    throw new Error(`There is no include/${name}.lua.`);
  };
  const includes = luaFiles(folder, true);
  const included = (_, name) => includes.get(name)?.trimEnd() ?? notThere(name);
  const own = part ? luaFiles(join(folder, part), false) : luaFiles(folder, false);
  if (beside) for (const name of luaFiles(join(folder, beside), false).keys()) own.delete(name);
  const entries = [...own].map(([name, text]) => {
    const { lua, records } = numbered(text.replace(/^ *-- @include ([\w-]+)$/gm, included), name);
    const sha1 = createHash('sha1').update(lua).digest('hex');
    return `  ${camel(name)}: {
    name: ${JSON.stringify(camel(name))},
    keys: ${contract(lua, 'KEYS', name)},
    args: ${contract(lua, 'ARGV', name)},
    records: ${records},
    sha1: '${sha1}',
    lua: ${JSON.stringify(lua)},
  },`;
  });
  return `// Generated from the Lua files beside it by \`npm run generate\`. Do not edit.
import type { Script } from '${types}';
${beside ? `import { ${beside}Scripts } from './${beside}.generated';\n` : ''}
/** ${doc} */
export const ${part ? `${part}Scripts` : 'scripts'} = {
${beside ? `  ...${beside}Scripts,\n` : ''}${entries.join('\n')}
} as const satisfies Record<string, Script>;
`;
}

const ofEngine = 'Every script of the engine, by its name; {@link runScript} runs one.';
const ofBoards = 'Those of boards that stand alone, which need no others.';
const ofModule = "Every script of the module's own, by its name.";
const engine = 'libs/leaderboard/src/scripts';
const modules = 'libs/activity/src/scripts';
put(`${engine}/board.generated.ts`, product(join(root, engine), './script', ofBoards, { part: 'board' }));
put(`${engine}/scripts.generated.ts`, product(join(root, engine), './script', ofEngine, { beside: 'board' }));
put(`${modules}/scripts.generated.ts`, product(join(root, modules), '@laurel/leaderboard/internals', ofModule));
