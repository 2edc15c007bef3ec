import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { folderOf, manifestIn, packageNames, root, tarballOf } from './packages';
import { npmSettings } from './npm-settings';
import type { Versions } from './versions';

const isInstalled = process.env.LAUREL_TEST_INSTALL === '1';

/** How {@link Project.ofApp} comes by what an app declares. */
export const howInstalled = isInstalled
  ? 'installed by npm'
  : 'unpacked, its peers linked: LAUREL_TEST_INSTALL=1 installs';

const folders: string[] = [];

/** Removes every project of this suite: `afterAll(removeProjects)`. */
export async function removeProjects(): Promise<void> {
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
}

/** A project of somebody else's, in a folder of its own, that has installed our packages. */
export class Project {
  private constructor(readonly folder: string) {}

  /**
   * A project with these files in it. The packages are unpacked from their tarballs; what they need and the project
   * declares, and nothing else, is linked from this repository's own installation, so that no network is asked. Peers
   * that are optional are there if they are declared.
   */
  static async create(
    files: Readonly<Record<string, string>> = {},
    declared: readonly string[] = [],
  ): Promise<Project> {
    const project = await Project.empty();
    for (const name of packageNames) {
      const target = join(project.folder, 'node_modules/@laurel', name);
      await mkdir(target, { recursive: true });
      await project.run('tar', ['-xzf', tarballOf(name), '--strip-components=1', '-C', target]);
      const { dependencies, peerDependencies, peerDependenciesMeta = {} } = manifestIn(folderOf(name));
      const needed = Object.keys({ ...dependencies, ...peerDependencies });
      for (const dependency of needed.filter((one) => !peerDependenciesMeta[one]?.optional)) {
        await project.link(dependency);
      }
    }
    for (const dependency of declared) await project.link(dependency);
    await project.write(files);
    return project;
  }

  /**
   * A copy of one of the apps under apps/. With `LAUREL_TEST_INSTALL=1` npm installs its dependencies, from the
   * tarballs and the registry.
   */
  static async ofApp(app: string): Promise<Project> {
    const { dependencies, devDependencies } = manifestIn(`apps/${app}`);
    const copy = async (project: Project) => {
      for (const part of ['package.json', 'tsconfig.json', 'src']) {
        await cp(join(root, 'apps', app, part), join(project.folder, part), { recursive: true });
      }
      return project;
    };
    if (!isInstalled) return copy(await Project.create({}, Object.keys({ ...dependencies, ...devDependencies })));
    const project = await copy(await Project.empty());
    await project.install();
    return project;
  }

  /** A project with these files, and our packages beside these versions of their peers: npm installs all of them. */
  static async installed(versions: Versions, files: Readonly<Record<string, string>>): Promise<Project> {
    const project = await Project.empty();
    await project.write(files);
    await project.install(Object.entries(versions).map(([name, version]) => `${name}@${version}`));
    return project;
  }

  async write(files: Readonly<Record<string, string>>): Promise<void> {
    for (const [path, content] of Object.entries(files)) {
      await mkdir(join(this.folder, dirname(path)), { recursive: true });
      await writeFile(join(this.folder, path), content);
    }
  }

  /** Runs Node in the project and gives what it printed. */
  node(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
    return this.run(process.execPath, args, env);
  }

  /** Compiles it, or checks its types alone with `--noEmit`. */
  tsc(...args: readonly string[]): Promise<string> {
    return this.node([join(root, 'node_modules/typescript/bin/tsc'), ...args]);
  }

  /**
   * Runs a command in the project and gives what it printed.
   * @throws Error with all that it printed where it fails.
   */
  async run(file: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
    const child = spawn(file, args, {
      cwd: this.folder,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = once(child, 'close');
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
    const [code] = await ended;
    if (code !== 0) throw new Error(`${file} ${args.join(' ')} ended with ${code}:\n${out}${err}`);
    return out;
  }

  private static async empty(): Promise<Project> {
    const folder = await mkdtemp(join(tmpdir(), 'laurel-package-'));
    folders.push(folder);
    return new Project(folder);
  }

  /** Has npm install our packages, what its package.json declares, and more. */
  private async install(more: readonly string[] = []): Promise<void> {
    await this.run('npm', ['install', ...packageNames.map(tarballOf), ...more], npmSettings);
  }

  private async link(dependency: string): Promise<void> {
    if (dependency.startsWith('@laurel/')) return;
    const link = join(this.folder, 'node_modules', dependency);
    await mkdir(dirname(link), { recursive: true });
    await symlink(join(root, 'node_modules', dependency), link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}
