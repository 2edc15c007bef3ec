import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** As much of a package.json as the setup reads and writes. */
export interface Manifest {
  readonly type?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** What the setup's files import beside what every Nest app has, and what the module's routes validate with. */
const needed = ['@nestjs/event-emitter', 'class-transformer', 'class-validator'];

/**
 * Those that an app lacks, each with the range that fits the app's line of Nest.
 * @throws Error where the app is no Nest app, or of a line on which Laurel was not run.
 */
export function missingPackages(app: Manifest): Readonly<Record<string, string>> {
  const { peerDependencies: peers } = JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8')) as {
    readonly peerDependencies: Readonly<Record<string, string>>;
  };
  const declared = { ...app.devDependencies, ...app.dependencies };
  const nest = declared['@nestjs/common'];
  if (nest === undefined) throw new Error('This is no Nest app: its package.json has no @nestjs/common.');
  const major = /\d+/.exec(nest)?.[0];
  const lines = alternatives(peers['@nestjs/common']);
  const line = lines.findIndex((range) => /\d+/.exec(range)?.[0] === major);
  if (line < 0) throw new Error(`The app has Nest ${nest}: Laurel needs ${lines.join(' or ')}.`);
  const missing = needed.filter((name) => !(name in declared));
  return Object.fromEntries(missing.map((name) => [name, fitting(alternatives(peers[name]), line)]));
}

function alternatives(range = ''): string[] {
  return range.split(' || ');
}

/** A package that is the same for all lines of Nest has one range. */
function fitting(ranges: readonly string[], line: number): string {
  return ranges[line] ?? ranges.at(-1) ?? '';
}
