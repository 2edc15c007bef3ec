'use strict';

/** @type {import('jest').Config} */
const common = {
  rootDir: __dirname,
  testEnvironment: 'node',
  moduleFileExtensions: ['ts', 'js', 'mjs', 'cjs', 'json', 'node'],
  transform: { '\\.[cm]?[jt]s$': '<rootDir>/test/support/jest-transformer.cjs' },
  transformIgnorePatterns: [],
  moduleNameMapper: { '^@laurel/([^/]+)$': '<rootDir>/libs/$1/src/index.ts' },
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.data/'],
};

/** Suites that need servers: one Redis for the whole run, started and stopped with it. */
const withServers = {
  ...common,
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
};

/** @type {import('jest').Config} */
module.exports = {
  rootDir: __dirname,
  testTimeout: 60_000,
  collectCoverageFrom: [
    '{apps,libs}/*/src/**/*.ts',
    '!**/*.spec.ts',
    '!**/main.ts',
    '!**/index.ts',
    '!**/*.generated.ts',
  ],
  coverageDirectory: 'coverage',
  projects: [
    { ...common, displayName: 'unit', roots: ['<rootDir>/apps', '<rootDir>/libs'], testRegex: '\\.spec\\.ts$' },
    { ...withServers, displayName: 'integration', roots: ['<rootDir>/test/integration'], testRegex: '\\.spec\\.ts$' },
    { ...withServers, displayName: 'properties', roots: ['<rootDir>/test/properties'], testRegex: '\\.spec\\.ts$' },
    { ...common, displayName: 'cluster', roots: ['<rootDir>/test/cluster'], testRegex: '\\.spec\\.ts$' },
    { ...withServers, displayName: 'faults', roots: ['<rootDir>/test/faults'], testRegex: '\\.spec\\.ts$' },
    { ...withServers, displayName: 'community', roots: ['<rootDir>/test/community'], testRegex: '\\.spec\\.ts$' },
    { ...withServers, displayName: 'browser', roots: ['<rootDir>/test/browser'], testRegex: '\\.spec\\.ts$' },
  ],
};
