// Turns the Lua files below each library's src/scripts into its scripts.generated.ts: Lua is the source, TypeScript the
// build product, so that a bundled build reads no file at run time.
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

/** The Lua files below a folder, by their names, which are unique: those to include, and the scripts. */
function luaFiles(folder) {
  const files = { includes: new Map(), scripts: new Map() };
  for (const path of readdirSync(folder, { recursive: true })) {
    if (!path.endsWith('.lua')) continue;
    const kind = path.split('/').includes('include') ? files.includes : files.scripts;
    const name = basename(path, '.lua');
    if (kind.has(name)) throw new Error(`${path}: there is another file of this name.`);
    kind.set(name, readFileSync(join(folder, path), 'utf8'));
  }
  return files;
}

function include(text, includes) {
  return text.replace(/^ *-- @include ([\w-]+)$/gm, (_, name) => {
    if (!includes.has(name)) throw new Error(`There is no include/${name}.lua.`);
    return includes.get(name).trimEnd();
  });
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
  const records = {};
  let record;
  const lines = lua.split('\n');
  for (const line of lines) {
    const opened = /^-- @(record|codes) ([A-Z]+)(.*)$/.exec(line);
    if (opened) {
      const [, kind, name, rest] = opened;
      if (records[name]) throw new Error(`${file}: ${name} is there twice.`);
      record = { first: kind === 'record' ? 1 : 0, fields: [] };
      records[name] = record;
      record.fields.push(...[...rest.matchAll(/\.(\w+)/g)].map(([, field]) => field));
    } else if (/^-- {3}\./.test(line) && record) {
      const [listed] = /^-- {3}(?:\.\w+ ?)+/.exec(line);
      record.fields.push(...[...listed.matchAll(/\.(\w+)/g)].map(([, field]) => field));
    } else if (!/^-- {4}/.test(line)) {
      record = undefined;
    }
  }
  const known = Object.keys(records).join('|');
  const code = known
    ? lines.map((line) => {
        if (/^\s*--/.test(line)) return line;
        return line.replace(new RegExp(`\\b(${known})\\.(\\w+)`, 'g'), (_, name, field) => {
          const { first, fields } = records[name];
          if (!fields.includes(field)) throw new Error(`${file}: ${name} has no field ${field}.`);
          return String(first + fields.indexOf(field));
        });
      })
    : lines;
  const listed = Object.entries(records).map(
    ([name, { fields }]) => `${name.toLowerCase()}: ${JSON.stringify(fields)}`,
  );
  return { lua: code.join('\n'), records: `{ ${listed.join(', ')} }` };
}

const camel = (name) => name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());

/** The TypeScript of a library's scripts. */
function product(folder, types, doc) {
  const { includes, scripts } = luaFiles(folder);
  const entries = [...scripts.keys()].sort().map((name) => {
    const { lua, records } = numbered(include(scripts.get(name), includes), name);
    const sha1 = createHash('sha1').update(lua).digest('hex');
    return `  ${camel(name)}: {\n    name: ${JSON.stringify(camel(name))},\n    keys: ${contract(lua, 'KEYS', name)},\n    args: ${contract(lua, 'ARGV', name)},\n    records: ${records},\n    sha1: '${sha1}',\n    lua: ${JSON.stringify(lua)},\n  },`;
  });
  return `// Generated from the Lua files beside it by \`npm run generate\`. Do not edit.
import type { Script } from '${types}';

/** ${doc} */
export const scripts = {
${entries.join('\n')}
} as const satisfies Record<string, Script>;
`;
}

const libraries = {
  leaderboard: ['./script', 'Every script of the engine, by its name; {@link runScript} runs one.'],
  activity: ['@laurel/leaderboard/internals', "Every script of the module's own, by its name."],
};
for (const [library, [types, doc]] of Object.entries(libraries)) {
  const folder = `libs/${library}/src/scripts`;
  put(`${folder}/scripts.generated.ts`, product(join(root, folder), types, doc));
}
