// Installs what `npm ci` leaves out, where it is missing: what only examples, deep tests and checks use.
import { execSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { manifestOf, root } from './packages.mjs';

if (Object.keys(manifestOf('.').peerDependencies).some((name) => !existsSync(`${root}/node_modules/${name}`)))
  execSync('npm install --no-save --include=peer', { cwd: root, stdio: 'inherit' });
