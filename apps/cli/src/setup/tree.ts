/**
 * As much of a schematic's world as the setup needs. Each line of the Nest CLI brings its own
 * @angular-devkit/schematics: one of ours beside it would shut out apps with another.
 */
export interface Tree {
  exists(path: string): boolean;
  read(path: string): Buffer | null;
  create(path: string, content: string): void;
  overwrite(path: string, content: string): void;
  getDir(path: string): { visit(visitor: (path: string) => void): void };
}

/** Where a schematic speaks, and what it has done after its files are written. */
export interface Context {
  readonly logger: { info(message: string): void; warn(message: string): void };
  addTask(task: { toConfiguration(): { name: string; options: object } }): unknown;
}

/** A file's text; empty where there is none. */
export function textOf(tree: Tree, path: string): string {
  return tree.read(path)?.toString('utf8') ?? '';
}

/** The app's TypeScript below a folder, without its tests. */
export function sourcesIn(tree: Tree, folder: string): string[] {
  const found: string[] = [];
  tree.getDir(folder).visit((path) => {
    const isSource = path.endsWith('.ts') && !/\.(?:spec|test|d)\.ts$/.test(path);
    if (isSource && !path.includes('/node_modules/')) found.push(path);
  });
  return found;
}
