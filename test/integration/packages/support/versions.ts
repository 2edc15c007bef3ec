import { manifestIn } from './packages';

/** Packages and their versions, exact or as a range. */
export type Versions = Readonly<Record<string, string>>;

const { dependencies: own = {}, devDependencies: ownInTests = {} } = manifestIn('.');

/** What this repository runs of each of `names`. */
function ownOf(names: readonly string[]): Versions {
  return Object.fromEntries(names.map((name) => [name, own[name] ?? ownInTests[name] ?? '']));
}

/** The lines before this repository's own: with them the packages were run, and from them on their peers accept. */
export const before = {
  nest: {
    '@nestjs/common': '11.2.10',
    '@nestjs/core': '11.2.10',
    '@nestjs/event-emitter': '3.1.0',
    '@nestjs/microservices': '11.2.6',
    '@nestjs/platform-express': '11.2.10',
    '@nestjs/platform-fastify': '11.2.8',
    '@nestjs/schedule': '6.1.3',
    '@nestjs/swagger': '11.4.7',
  },
  ioredis: { ioredis: '5.11.1' },
} as const;

const nest12 = ownOf(Object.keys(before.nest));
const ioredis6 = ownOf(['ioredis']);
const inEachCell = ownOf([
  '@types/node',
  '@types/pg',
  'class-transformer',
  'class-validator',
  'pg',
  'reflect-metadata',
]);

/** Whether all of the matrix is run, and not its first cell alone. */
export const isWhole = process.env.LAUREL_TEST_MATRIX === '1';

/** What one installation of an app has, and how it is compiled beside `nodenext`, as apps of that type may be. */
export interface Cell {
  readonly title: string;
  readonly type: 'commonjs' | 'module';
  readonly settings: { readonly module: string; readonly moduleResolution: string };
  readonly versions: Versions;
}

const settings = {
  commonjs: { module: 'commonjs', moduleResolution: 'node10' },
  module: { module: 'esnext', moduleResolution: 'bundler' },
} as const;

/**
 * What most apps run, which each run of the tests tries; and the rest of the matrix: each line of Nest with each of
 * ioredis, once as CommonJS and once as ES modules.
 */
export const cells: readonly Cell[] = [
  cell('commonjs', before.nest, before.ioredis),
  ...(isWhole
    ? [
        cell('module', before.nest, ioredis6),
        cell('commonjs', nest12, before.ioredis),
        cell('module', nest12, ioredis6),
      ]
    : []),
];

function cell(type: Cell['type'], nest: Versions, ioredis: Versions): Cell {
  const title = `Nest ${nest['@nestjs/core']} with ioredis ${ioredis.ioredis}`;
  return { title, type, settings: settings[type], versions: { ...nest, ...ioredis, ...inEachCell } };
}
