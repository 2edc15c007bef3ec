// Prints what Laurel adds to the start of an app: `node tools/start-cost.mjs [rounds]`. Each app is a process of its
// own in a project that has installed what the app needs and nothing else; the apps start in turn. An app has started
// when it listens: by then the core has asked Redis.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..');
const rounds = Number(process.argv[2] ?? 10);
const require = createRequire(import.meta.url);
require('./register-typescript.cjs');
const { startRedis } = require('@laurel/servers');

const beside = ['account', 'admin', 'live', 'live-rules', 'moderation', 'settlement', 'titles'];
const ours = ['@laurel/leaderboard', '@laurel/activity'];
const required = ['ioredis', 'prom-client'];
const routes = ['class-validator', 'class-transformer'];
const apps = {
  'without Laurel': { installs: [] },
  '... that loads ioredis and prom-client': { installs: required, loads: required },
  'the core, no routes': { installs: [...ours, ...required], entry: '/core', routes: false },
  'the core': { installs: [...ours, ...required, ...routes], entry: '/core' },
  'the core, documented': { installs: [...ours, ...required, ...routes, '@nestjs/swagger'], entry: '/core' },
  'all modules': {
    installs: [...ours, ...required, ...routes, '@nestjs/swagger', '@nestjs/schedule'],
    entry: '',
    modules: beside,
  },
};
const everywhere = ['common', 'core', 'event-emitter', 'platform-fastify'].map((name) => `@nestjs/${name}`);
everywhere.push('reflect-metadata', 'rxjs');

execFileSync(process.execPath, [join(root, 'tools/build-packages.mjs'), '--if-stale'], { stdio: 'inherit' });
const folder = mkdtempSync(join(tmpdir(), 'laurel-start-'));
const redis = await startRedis();
try {
  const projects = Object.entries(apps).map(([name, app], i) => ({
    name,
    app,
    path: project(app, String(i)),
    starts: [],
  }));
  for (let round = 0; round <= rounds; round++) {
    for (const { path, starts } of projects) {
      const start = JSON.parse(execFileSync(process.execPath, ['main.mjs'], { cwd: path, encoding: 'utf8' }));
      // The first round fills the disk's caches.
      if (round > 0) starts.push(start);
    }
  }
  const base = projects[0];
  const baseMb = installedMb([...everywhere, ...required]);
  const rows = projects.map(({ name, app, starts }) => ({
    app: name,
    'CPU ms': spread(starts, 'cpuMs', base),
    'wall ms': spread(starts, 'wallMs', base),
    'RSS MB': spread(starts, 'rssMb', base),
    'files required': starts[0].files,
    "of them Laurel's": starts[0].own,
    'MB installed over Nest, ioredis and prom-client': Math.max(
      0,
      installedMb([...everywhere, ...app.installs]) - baseMb,
    ).toFixed(1),
  }));
  console.log(
    `| ${Object.keys(rows[0]).join(' | ')} |\n| ${Object.keys(rows[0])
      .map(() => '---')
      .join(' | ')} |`,
  );
  for (const row of rows) console.log(`| ${Object.values(row).join(' | ')} |`);
  console.log(`\n${rounds} starts each, in turn: median (least), and what the median is over the app without Laurel.`);
} finally {
  await redis.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** A project with the app in it. Our packages are copied, so that they find what is linked here alone. */
function project({ installs, loads = [], entry, routes = true, modules = [] }, name) {
  const path = join(folder, name);
  for (const dependency of [...everywhere, ...installs]) {
    const place = join(path, 'node_modules', dependency);
    mkdirSync(dirname(place), { recursive: true });
    if (ours.includes(dependency)) cpSync(packedAt(dependency), place, { recursive: true });
    else symlinkSync(join(root, 'node_modules', dependency), place);
  }
  // What our packages depend on, and are not peers of.
  for (const dependency of ours.filter((one) => installs.includes(one))) {
    for (const inner of Object.keys(manifestAt(packedAt(dependency)).dependencies)) {
      const place = join(path, 'node_modules', inner);
      if (!existsSync(place)) symlinkSync(join(root, 'node_modules', inner), place);
    }
  }
  const options = JSON.stringify({ redis: { url: redis.url }, prefix: `start-${name}` });
  writeFileSync(
    join(path, 'main.mjs'),
    `import { NestFactory } from '@nestjs/core';
import { EventEmitterModule } from '@nestjs/event-emitter';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { createRequire } from 'node:module';
${loads.map((one) => `import '${one}';\n`).join('')}${entry === undefined ? '' : `import * as laurel from '@laurel/activity${entry}';`}
const imports = [EventEmitterModule.forRoot()];
${entry === undefined ? '' : `imports.push(laurel.ActivityModule.forRoot({ ...${options}, ${routes ? '' : 'controllers: false'} }));`}
${modules.map((one) => `imports.push(laurel.${nameOf(one)}.forRoot({}));`).join('\n')}
const app = await NestFactory.create({ module: class App {}, imports }, new FastifyAdapter(), { logger: ['error'] });
await app.listen(0, '127.0.0.1');
const { user, system } = process.cpuUsage();
const files = Object.keys(createRequire(import.meta.url).cache);
console.log(JSON.stringify({
  cpuMs: (user + system) / 1_000,
  wallMs: performance.now(),
  rssMb: process.memoryUsage().rss / 2 ** 20,
  files: files.length,
  own: files.filter((file) => file.includes('/@laurel/')).length,
}));
process.exit(0);
`,
  );
  return path;
}

/** `live-rules`: `LiveRulesModule`. */
function nameOf(door) {
  return `${door.replace(/(?:^|-)(\w)/g, (_, letter) => letter.toUpperCase())}Module`;
}

function packedAt(name) {
  return join(root, 'dist/packages', name.split('/')[1]);
}

function manifestAt(path) {
  return JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
}

/** What npm installs for these packages: they, what they depend on, and their peers that are not optional. */
function installedMb(names) {
  const found = new Set();
  const add = (name, from) => {
    const path = ours.includes(name) ? packedAt(name) : pathOf(name, from);
    if (found.has(path)) return;
    found.add(path);
    const { dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = manifestAt(path);
    const peers = Object.keys(peerDependencies).filter((peer) => !peerDependenciesMeta[peer]?.optional);
    for (const inner of [...Object.keys(dependencies), ...peers]) add(inner, ours.includes(name) ? root : path);
  };
  for (const name of names) add(name, root);
  return [...found].reduce((sum, path) => sum + bytesIn(path), 0) / 2 ** 20;
}

/** Where a package finds another: in its own node_modules, or in one further out. */
function pathOf(name, from) {
  for (let at = from; ; at = dirname(at)) {
    const path = join(at, 'node_modules', name);
    if (existsSync(path)) return path;
    if (at === dirname(at)) throw new Error(`${name} is not installed: run npm ci.`);
  }
}

function bytesIn(path) {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.size;
  const entries = readdirSync(path).filter((entry) => entry !== 'node_modules');
  return entries.reduce((sum, entry) => sum + bytesIn(join(path, entry)), 0);
}

/** The median, the least, and how much more the median is than that of `base`. */
function spread(starts, figure, base) {
  const median = (of) => of.map((start) => start[figure]).sort((a, b) => a - b)[Math.floor(of.length / 2)];
  const least = Math.min(...starts.map((start) => start[figure]));
  const more = median(starts) - median(base.starts);
  return `${median(starts).toFixed(0)} (${least.toFixed(0)})${more === 0 ? '' : `, +${more.toFixed(0)}`}`;
}
