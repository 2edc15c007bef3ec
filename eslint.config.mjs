// @ts-check
import eslint from '@eslint/js';
import prettier from 'eslint-config-prettier/flat';
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
    selector: 'MemberExpression[object.name=/^(it|test|describe)$/][property.name=/^(only|todo)$/]',
    message: 'Run all tests: only while you work on one, `npx jest -t` chooses it.',
  },
  {
    selector: 'CallExpression[callee.object.name=/^(it|test|describe)$/][callee.property.name="skip"]',
    message:
      'Skip a test only where it cannot run, and say why in its name: (cannot ? it.skip : it)(`… (skipped: …)`, …).',
  },
  {
    selector: 'CallExpression[callee.name=/^(fit|fdescribe|xit|xtest|xdescribe)$/]',
    message: 'Run all tests: neither alone nor left out.',
  },
];

export default defineConfig(
  globalIgnores(['**/dist', 'dist.*', 'coverage', '.data', '**/*.generated.ts']),
  eslint.configs.recommended,
  {
    files: ['**/*.{cjs,mjs}'],
    languageOptions: {
      globals: {
        console: 'readonly',
        process: 'readonly',
        performance: 'readonly',
        Buffer: 'readonly',
        require: 'readonly',
        module: 'writable',
        __dirname: 'readonly',
        __filename: 'readonly',
        globalThis: 'readonly',
      },
    },
  },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/ban-ts-comment': 'error',
      'no-restricted-syntax': ['error', ...noWallClock],
    },
  },
  {
    // Optional peers are required where they are installed, and what is wrong with a Redis when one cannot be used.
    files: ['libs/activity/src/**/*.ts'],
    rules: {
      '@typescript-eslint/no-require-imports': [
        'error',
        { allow: ['^@nestjs/(schedule|swagger)$', '^ajv$', '^class-(transformer|validator)$', '^\\./diagnosis/'] },
      ],
    },
  },
  {
    files: ['apps/web/**/*.{ts,tsx}'],
    plugins: { 'react-hooks': reactHooks },
    languageOptions: { parserOptions: { project: './apps/web/tsconfig.json', tsconfigRootDir: import.meta.dirname } },
    rules: { 'react-hooks/rules-of-hooks': 'error', 'react-hooks/exhaustive-deps': 'error' },
  },
  {
    files: ['**/clock.ts', 'apps/bench/**/*.ts'],
    rules: { 'no-restricted-syntax': 'off' },
  },
  {
    files: ['**/*.spec.ts', 'test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/unbound-method': 'off',
      'no-restricted-syntax': ['error', ...noWallClock, ...noFocus],
    },
  },
  prettier,
);
