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
const inEachCell = ownOf(['@types/node', 'class-transformer', 'class-validator', 'reflect-metadata']);

/** An app as the Nest CLI of its time makes it: CommonJS for Nest 11, ES modules for Nest 12. */
export interface Cell {
  readonly title: string;
  readonly type: 'commonjs' | 'module';
  readonly versions: Versions;
}

/** What most apps run, which each run of the tests tries; and the rest, with `LAUREL_TEST_MATRIX=1`. */
export const cells: readonly Cell[] = [
  cell('commonjs', before.nest, before.ioredis),
  ...(process.env.LAUREL_TEST_MATRIX === '1'
    ? [
        cell('commonjs', before.nest, ioredis6),
        cell('module', nest12, before.ioredis),
        cell('module', nest12, ioredis6),
      ]
    : []),
];

function cell(type: Cell['type'], nest: Versions, ioredis: Versions): Cell {
  const title = `Nest ${nest['@nestjs/core']} with ioredis ${ioredis.ioredis}`;
  return { title, type, versions: { ...nest, ...ioredis, ...inEachCell } };
}
