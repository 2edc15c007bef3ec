// Builds the pages into dist/apps/web: hashed files that may be kept for good, an index.html that names them, and
// pages.json, which tells the server their addresses.
import { readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { compressed } from './compressed.mjs';
import { ownPages, served } from './src/addresses/pages.ts';

const here = dirname(fileURLToPath(import.meta.url));
const community = process.env.LAUREL_COMMUNITY_URL ?? 'http://127.0.0.1:3000';

/** What `vite` answers itself while it serves the pages from their sources: they, their sources and its own files. */
const ofVite = /^\/(?:@|src\/|node_modules\/|favicon\.svg)/;

export default defineConfig(({ command }) => ({
  root: here,
  build: {
    outDir: join(here, '../../dist/apps/web'),
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0, // the content security policy knows no data: addresses
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // Few files: what every page needs, what several of the others share, and each of these.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'main', tags: ['$initial'], priority: 1 },
            { name: 'shared', test: /[\\/]apps[\\/]web[\\/]src[\\/]/, minShareCount: 2 },
          ],
        },
      },
    },
  },
  // While the sources are served classes are told by their own names.
  ...(command === 'build' && { css: { modules: { generateScopedName: shortName } } }),
  plugins: [compressed(), addresses()],
  // Everything else is a route of the community's.
  server: { proxy: { '/': { target: community, bypass: ({ url }) => (isOurs(url) ? url : null) } } },
}));

function isOurs(url) {
  return ownPages.test(url) || ofVite.test(url);
}

/** Writes down where pages live. */
function addresses() {
  return {
    name: 'laurel-addresses',
    apply: 'build',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'pages.json', source: JSON.stringify(served) });
    },
  };
}

/** The sheets of components, always in the same order. */
const sheets = readdirSync(here, { recursive: true })
  .filter((file) => file.endsWith('.module.css'))
  .sort();

/** A short name for a class, the same in every build: it tells the place of the sheet, and of the class in it. */
function shortName(name, file, css) {
  const names = [...new Set(css.match(/[a-z]\w*/gi))];
  // The first letter is a letter: 360 is a0.
  return (360 + sheets.indexOf(relative(here, file))).toString(36) + names.indexOf(name).toString(36);
}
