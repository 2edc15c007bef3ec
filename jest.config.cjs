'use strict';
const { existsSync } = require('node:fs');
const { join } = require('node:path');

/** @type {import('jest').Config} */
const common = {
  rootDir: __dirname,
  // One name, one cache: what one project has transformed, the others read.
  id: 'laurel',
  testEnvironment: 'node',
  moduleFileExtensions: ['ts', 'js', 'mjs', 'cjs', 'json', 'node'],
  transform: { '\\.[cm]?[jt]s$': '<rootDir>/test/support/jest-transformer.cjs' },
  transformIgnorePatterns: [],
  moduleNameMapper: {
    '^@laurel/([^/]+)$': '<rootDir>/libs/$1/src/index.ts',
    '^@laurel/([^/]+)/([^/]+)$': ['<rootDir>/libs/$1/src/$2.ts', '<rootDir>/libs/$1/src/$2/index.ts'],
  },
  modulePathIgnorePatterns: ['<rootDir>/dist[./]', '<rootDir>/.data/'],
  testRegex: specsOf(process.env.LAUREL_TEST_TIER),
};

/** The specs of a tier, by their names: `x.spec.ts`, `x.deep.spec.ts`; without one all, `x.night.spec.ts` too. */
function specsOf(tier) {
  return { test: '/[^./]+\\.spec\\.ts$', deep: '\\.deep\\.spec\\.ts$' }[tier] ?? '\\.spec\\.ts$';
}

/** Suites that need servers: one Redis for the whole run, started and stopped with it. */
const withServers = {
  ...common,
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
};

/** ... and the built pages. */
const withPages = { ...withServers, globalSetup: '<rootDir>/test/support/global-setup-with-pages.ts' };

/** The suites under test/, one project a folder; Jest refuses a folder that is not there. */
const suites = {
  integration: withServers,
  properties: withServers,
  cluster: common,
  faults: withServers,
  community: withPages,
  security: withPages,
  browser: withPages,
};

/** @type {import('jest').Config} */
module.exports = {
  rootDir: __dirname,
  // It only bounds what hangs.
  testTimeout: 300_000,
  collectCoverageFrom: [
    '{apps,libs}/*/src/**/*.ts',
    '!**/*.spec.ts',
    '!**/main.ts',
    '!**/index.ts',
    '!**/*.generated.ts',
  ],
  coverageDirectory: 'coverage',
  projects: [
    { ...common, displayName: 'unit', roots: ['<rootDir>/apps', '<rootDir>/libs'] },
    ...Object.entries(suites)
      .filter(([folder]) => existsSync(join(__dirname, 'test', folder)))
      .map(([folder, project]) => ({ ...project, displayName: folder, roots: [`<rootDir>/test/${folder}`] })),
  ],
};
