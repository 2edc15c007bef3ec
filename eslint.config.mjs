import { defineConfig, globalIgnores } from 'eslint/config';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

/** The clock is injected: the wall clock is read in one file of each room that has one. */
const noWallClock = [
  {
    selector: "CallExpression[callee.object.name='Date'][callee.property.name='now']",
    message: 'Take the time from an injected Clock.',
  },
  {
    selector: "NewExpression[callee.name='Date'][arguments.length=0]",
    message: 'Take the time from an injected Clock.',
  },
];

/** A test that is alone, or left out, lets a run be green that has tested next to nothing. */
const noFocus = [
  {
    selector:
      'MemberExpression[property.name=/^(only|todo)$/]' +
      ':matches([object.name=/^(it|test|describe)$/], [object.object.name=/^(it|test)$/])',
    message: 'Run all tests: only while you work on one, `npx jest -t` chooses it.',
  },
  {
    selector: 'CallExpression[callee.object.name=/^(it|test|describe)$/][callee.property.name="skip"]',
    message:
      'Skip a test only where it cannot run, and say why in its name: (cannot ? it.skip : it)(`… (skipped: …)`, …).',
  },
  {
    selector: 'Identifier[name=/^(fit|fdescribe|xit|xtest|xdescribe)$/]',
    message: 'Run all tests: neither alone nor left out.',
  },
];

// What .oxlintrc.json cannot hold: these rules know no types. It holds all others, and the types.
export default defineConfig(
  globalIgnores(['**/dist', 'dist.*', 'coverage', '.data', '**/*.generated.ts', '**/*.{js,cjs,mjs}']),
  {
    files: ['**/*.{ts,tsx}'],
    plugins: { '@typescript-eslint': tseslint.plugin },
    linterOptions: { reportUnusedDisableDirectives: 'off' },
    languageOptions: {
      parser: tseslint.parser,
      // A class in the signature of what is decorated is a value: Nest finds it by its metadata.
      parserOptions: { emitDecoratorMetadata: true, experimentalDecorators: true },
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      'no-restricted-syntax': ['error', ...noWallClock],
    },
  },
  {
    files: ['apps/web/**/*.{ts,tsx}'],
    plugins: { 'react-hooks': reactHooks },
    rules: { 'react-hooks/rules-of-hooks': 'error', 'react-hooks/exhaustive-deps': 'error' },
  },
  {
    files: ['**/clock.ts', 'apps/bench/**/*.ts'],
    rules: { 'no-restricted-syntax': 'off' },
  },
  {
    files: ['**/*.spec.ts', 'test/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', ...noWallClock, ...noFocus] },
  },
);
