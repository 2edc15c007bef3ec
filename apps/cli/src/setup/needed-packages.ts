/** As much of a package.json as the setup reads and writes. */
export interface Manifest {
  readonly type?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** The lines of Nest that `@laurel/activity` runs on. */
const nestLines = ['^11.2.10', '^12.5.1'];

/**
 * What the setup's files import beside what every Nest app has, and what the module's routes validate with: for each
 * line of Nest a range, or one for all. They are the peers of `@laurel/activity`.
 */
export const needed: Readonly<Record<string, readonly string[]>> = {
  '@nestjs/event-emitter': ['^3.1.0', '^12.0.1'],
  'class-transformer': ['^0.5.1'],
  'class-validator': ['^0.15.1'],
};

/**
 * Those that an app lacks, each with the range that fits the app's line of Nest.
 * @throws Error where the app is no Nest app, or of a line on which Laurel was not run.
 */
export function missingPackages(app: Manifest): Readonly<Record<string, string>> {
  const declared = { ...app.devDependencies, ...app.dependencies };
  const nest = declared['@nestjs/common'];
  if (nest === undefined) throw new Error('This is no Nest app: its package.json has no @nestjs/common.');
  const major = /\d+/.exec(nest)?.[0];
  const line = nestLines.findIndex((range) => /\d+/.exec(range)?.[0] === major);
  if (line < 0) throw new Error(`The app has Nest ${nest}: Laurel needs ${nestLines.join(' or ')}.`);
  const missing = Object.entries(needed).filter(([name]) => !(name in declared));
  return Object.fromEntries(missing.map(([name, ranges]) => [name, ranges[line] ?? ranges[0] ?? '']));
}
