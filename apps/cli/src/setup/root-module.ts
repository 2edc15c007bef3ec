import { dirname, join } from 'node:path/posix';
import { textOf, type Tree } from './tree';

/** The module that an app starts with, and its file. */
export interface RootModule {
  readonly name: string;
  readonly file: string;
}

/** The module that `main.ts` passes to NestFactory; null if it is not written as the Nest CLI does. */
export function rootModuleOf(tree: Tree, sourceRoot: string): RootModule | null {
  const main = textOf(tree, join(sourceRoot, 'main.ts'));
  const [, name] = /\bNestFactory\.create\w*(?:<[^(]*>)?\(\s*(\w+)/.exec(main) ?? [];
  if (name === undefined) return null;
  const [, path] =
    new RegExp(`import\\s*\\{[^}]*\\b${name}\\b[^}]*\\}\\s*from\\s*['"](\\.[^'"]+)['"]`).exec(main) ?? [];
  if (path === undefined) return null;
  const file = `${join(sourceRoot, dirname(path), basenameOf(path))}.ts`;
  return tree.exists(file) ? { name, file } : null;
}

/** `./app.module` and `./app.module.js` are the same file. */
function basenameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.js$/, '');
}

/**
 * The source of a module with one more among its `imports`; null where they are no list, or the module is written in a
 * way that the Nest CLI does not write it.
 */
export function withImport(source: string, module: string, path: string): string | null {
  const listed = intoList(source, module);
  if (listed === null) return null;
  const statements = [...listed.matchAll(/^import\b[^;]*?['"][^'"]+['"];?$/gm)];
  const last = statements.at(-1);
  const end = last === undefined ? 0 : last.index + last[0].length;
  const line = `import { ${module} } from '${path}';`;
  return end === 0 ? `${line}\n${listed}` : `${listed.slice(0, end)}\n${line}${listed.slice(end)}`;
}

/** Puts the module first in `imports`, as its neighbours are laid out. */
function intoList(source: string, module: string): string | null {
  const decorator = /@Module\(\{/.exec(source);
  if (decorator === null) return null;
  const start = decorator.index + decorator[0].length;
  const rest = source.slice(start);
  const imports = /\bimports\s*:\s*/.exec(rest);
  if (imports === null) return `${source.slice(0, start)}\n  imports: [${module}],${rest}`;
  const list = start + imports.index + imports[0].length;
  if (source[list] !== '[') return null;
  const [gap = ''] = /^\s*/.exec(source.slice(list + 1)) ?? [];
  const isEmpty = source[list + 1 + gap.length] === ']';
  const separator = gap.includes('\n') ? ',' : ', ';
  return `${source.slice(0, list + 1)}${isEmpty ? '' : gap}${module}${isEmpty ? '' : separator}${source.slice(list + 1)}`;
}
