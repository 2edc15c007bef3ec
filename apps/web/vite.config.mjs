// Builds the pages into dist/apps/web: hashed files that may be kept for good, an index.html that names them, and
// pages.json, which tells the server their addresses.
import { dirname, join } from 'node:path';
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
  },
  // Short: every page sends its classes. While the sources are served they are told by their names.
  ...(command === 'build' && { css: { modules: { generateScopedName: '[hash:base64:5]' } } }),
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
