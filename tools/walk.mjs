// Prints which files of libs/activity run while the module does one thing, as V8 counts the calls of their functions:
// `node tools/walk.mjs [praise] [page] [settlement]`. Each walk is the first of its kind in a fresh app with
// every module; it is taken three times, and a file counts if it ran each time, so that no timer of the app is counted.
import { Session } from 'node:inspector/promises';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const room = join(import.meta.dirname, '../libs/activity/src/');
const require = createRequire(import.meta.url);
const session = new Session();
session.connect();
await session.post('Debugger.enable');
await session.post('Profiler.enable');
// Before our sources are loaded: a function that was compiled earlier is not counted.
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

require('reflect-metadata');
require('./register-typescript.cjs');
const laurel = require('@laurel/activity');
const { startRedis } = require('@laurel/servers');
const { NestFactory } = require('@nestjs/core');
const { EventEmitter2, EventEmitterModule } = require('@nestjs/event-emitter');
const { FastifyAdapter } = require('@nestjs/platform-fastify');

const dayMs = 86_400_000;
const tallies = ['given:comment', 'received:praise', 'received:follow'];
const leaderboards = ['day', 'month'].map((period) => ({ name: period, period, tallies }));
const readyRules = ['MostPraised', 'MostFollowed', 'BusiestCommenter', 'NightOwl', 'SevenDayStreak'];
const modules = Object.keys(laurel).filter((name) => name.endsWith('Module') && name !== 'ActivityModule');

/** What each walk is, in an app in which a user has points, but for the first praise. */
const walks = {
  praise: ({ praise }) => praise(),
  async page({ app }) {
    const { body } = await app.inject({ url: '/ranks/day?titles=true' });
    if (!JSON.parse(body).entries?.[0]?.title) throw new Error(`The page has no title: ${body}`);
  },
  async settlement({ app, clock, heard }) {
    clock.aheadMs += 2 * dayMs;
    await app.get(laurel.SettlementService).settleDue(({ leaderboard }) => leaderboard === 'day');
    if (heard.length !== 1) throw new Error(`The listener heard of ${heard.length} periods instead of one.`);
  },
};

/** A fresh app with every module, and what the walks need of it. */
async function open(prefix) {
  // Begins at noon: no day ends during a walk.
  const clock = { aheadMs: dayMs / 2 - (Date.now() % dayMs), now: () => Date.now() + clock.aheadMs };
  const heard = [];
  class Listener {}
  Listener.prototype.hear = (event) => heard.push(event);
  laurel.SettledListener('walk')(Listener.prototype, 'hear', { value: Listener.prototype.hear });
  class Here {
    title = () => 'Here today';
  }
  laurel.TitleRule({ order: 1_000 })(Here);
  const activity = laurel.ActivityModule.forRoot({ redis: { url: server.url }, prefix, clock, leaderboards });
  const imports = [EventEmitterModule.forRoot(), activity, ...modules.map((name) => laurel[name].forRoot({}))];
  const providers = [Listener, Here, ...readyRules.map((name) => laurel[name])];
  const module = { module: class WalkModule {}, imports, providers };
  const app = await NestFactory.create(module, new FastifyAdapter(), { logger: ['error'] });
  await app.listen(0, '127.0.0.1');
  const praise = () => {
    const event = new laurel.PraiseEvent({ userId: 'ann', subject: 'article:1', ownerId: 'olga' });
    return app.get(EventEmitter2).emitAsync(laurel.PraiseEvent.eventName, event);
  };
  return { app, clock, heard, praise };
}

/** The files of the room in which a function was called since this was last asked. */
async function filesThatRan() {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const ran = [];
  for (const { url, scriptId, functions } of result) {
    const file = url.startsWith('file:') ? fileURLToPath(url) : url;
    if (!file.startsWith(room)) continue;
    const called = functions.filter(({ ranges: [{ count }] }) => count > 0);
    if (called.length === 0) continue;
    const { scriptSource } = await session.post('Debugger.getScriptSource', { scriptId });
    const isOwn = ({ ranges: [{ startOffset, endOffset }] }) => !isExport(scriptSource.slice(startOffset, endOffset));
    if (called.some(isOwn)) ran.push(relative(room, file));
  }
  return ran;
}

/** Resolves when what begins with the app is done: a tenth of a second in which nothing of the room ran. */
async function quiet() {
  for (let ran = [room]; ran.length > 0; ran = await filesThatRan()) await delay(100);
}

/** Whether it is what the compiler makes of an export, a call of which is no more than a mention of the name. */
const isExport = (code) => /^get \w+ ?\(\) \{\s*return (?!this\b)[\w.]+;\s*\}$/.test(code);

const chosen = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(walks);
const server = await startRedis();
try {
  for (const name of chosen) {
    const takes = [];
    for (const take of ['first', 'second', 'third']) {
      const opened = await open(`${name}-${take}`);
      if (name !== 'praise') await opened.praise();
      await quiet();
      await walks[name](opened);
      takes.push(await filesThatRan());
      await opened.app.close();
    }
    const files = takes[0].filter((file) => takes.every((ran) => ran.includes(file))).sort();
    console.log([`${name}: ${files.length} files of libs/activity`, ...files].join('\n  '));
  }
} finally {
  await server.stop();
}
