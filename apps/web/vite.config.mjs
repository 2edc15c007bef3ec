// Builds the pages into dist/apps/web: hashed files that may be kept for good, and an index.html that names them.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { compressed } from './compressed.mjs';

const here = dirname(fileURLToPath(import.meta.url));
/** What the community app answers itself while the pages are served by `vite`. */
const routes = ['ranks', 'activity', 'auth', 'articles', 'comments', 'users', 'avatars', 'points', 'health', 'docs'];
const community = process.env.LAUREL_COMMUNITY_URL ?? 'http://127.0.0.1:3000';

export default defineConfig({
  root: here,
  build: {
    outDir: join(here, '../../dist/apps/web'),
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0, // the content security policy knows no data: addresses
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  plugins: [compressed()],
  server: { proxy: Object.fromEntries(routes.map((route) => [`^/${route}(/|\\?|$)`, community])) },
});
