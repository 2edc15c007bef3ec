import { dirname, join, relative } from 'node:path/posix';
import { type Manifest, missingPackages } from './needed-packages';
import { firstEvent, rankingModule } from './ranking-module';
import { rootModuleOf, withImport } from './root-module';
import { type Context, sourcesIn, textOf, type Tree } from './tree';

/** As schema.json has them. */
interface SetupOptions {
  readonly sourceRoot?: string;
  readonly skipInstall?: boolean;
}

/**
 * The schematic `nest g -c @laurel/cli setup`: gives an app a module with the ranking, its interceptor and a first
 * event, imports it in the module that the app starts with, and installs what it imports. What is there already is left
 * as it is, so it may be run again.
 */
export function setup({ sourceRoot = 'src', skipInstall = false }: SetupOptions) {
  return (tree: Tree, context: Context): Tree => {
    const app = JSON.parse(textOf(tree, 'package.json') || '{}') as Manifest;
    const missing = missingPackages(app);
    const folder = join(sourceRoot, 'ranking');
    const sources = sourcesIn(tree, `/${sourceRoot}`);
    const uses = (name: string) => sources.find((path) => textOf(tree, path).includes(`${name}.forRoot`));
    const own = join(folder, 'ranking.module.ts');
    const other = uses('ActivityModule');
    if (other !== undefined && !tree.exists(own)) {
      context.logger.warn(`${other} has an ActivityModule: nothing was changed.`);
      return tree;
    }
    const isEsm = app.type === 'module';
    const isConfigured = '@nestjs/config' in { ...app.dependencies, ...app.devDependencies };
    const hasEmitter = uses('EventEmitterModule') !== undefined;
    createFile(tree, context, join(folder, 'first-event.controller.ts'), firstEvent());
    createFile(tree, context, own, rankingModule({ isConfigured, hasEmitter, isEsm }));
    importIt(tree, context, sourceRoot, `${own.slice(0, -'.ts'.length)}${isEsm ? '.js' : ''}`);
    if (Object.keys(missing).length > 0) {
      addPackages(tree, app, missing);
      if (!skipInstall) install(tree, context);
    }
    context.logger.info(`Start the app with a Redis on localhost:6379, or REDIS_URL, and try:
  curl -X POST localhost:3000/first-event/ann
  curl localhost:3000/ranks/day/users/ann`);
    return tree;
  };
}

function createFile(tree: Tree, { logger }: Context, path: string, content: string): void {
  if (tree.exists(path)) logger.info(`${path} is there: it stays as it is.`);
  else tree.create(path, content);
}

function importIt(tree: Tree, { logger }: Context, sourceRoot: string, file: string): void {
  const root = rootModuleOf(tree, sourceRoot);
  const source = root === null ? '' : textOf(tree, root.file);
  if (root !== null && /\bRankingModule\b/.test(source)) {
    logger.info(`${root.file} has the RankingModule: it stays as it is.`);
    return;
  }
  const path = root === null ? file : importPath(root.file, file);
  const changed = root === null ? null : withImport(source, 'RankingModule', path);
  if (root === null || changed === null) {
    const where = root === null ? 'the module that your app starts with' : `${root.name} in ${root.file}`;
    logger.warn(`Import it yourself: add RankingModule of ${path} to the imports of ${where}.`);
    return;
  }
  tree.overwrite(root.file, changed);
}

function importPath(from: string, file: string): string {
  const path = relative(dirname(from), file);
  return path.startsWith('.') ? path : `./${path}`;
}

/** Into package.json, in the order of names as npm writes it. */
function addPackages(tree: Tree, app: Manifest, missing: Readonly<Record<string, string>>): void {
  const all = Object.entries({ ...app.dependencies, ...missing }).sort(([a], [b]) => (a < b ? -1 : 1));
  tree.overwrite('package.json', `${JSON.stringify({ ...app, dependencies: Object.fromEntries(all) }, null, 2)}\n`);
}

/** By the package manager whose lock the app has. */
function install(tree: Tree, context: Context): void {
  const locks = { 'pnpm-lock.yaml': 'pnpm', 'yarn.lock': 'yarn', 'bun.lock': 'bun' };
  const [, packageManager] = Object.entries(locks).find(([lock]) => tree.exists(lock)) ?? ['', 'npm'];
  const options = { command: 'install', quiet: true, hideOutput: true, packageManager };
  context.addTask({ toConfiguration: () => ({ name: 'node-package', options }) });
}
