'use strict';
/**
 * The rooms and their arrows (docs/architecture.md): apps -> activity -> leaderboard -> ioredis, never back, no
 * circles.
 */

/** The libraries and apps, whose folders import each other one way alone. */
const rooms = '(?:apps|libs)/[^/]+/src';

/** The folders of libs/activity with optional Nest modules, and `shared`, which they all use. */
const optional = 'settlement|live|titles|moderation|live-rules|account|admin|rewards|shared';

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'folders-import-one-way',
      severity: 'error',
      comment: 'Two folders of a room import each other, directly or by way of others: move what both need below both.',
      scope: 'folder',
      from: { path: `^${rooms}/` },
      to: { circular: true, path: `^${rooms}/` },
    },
    {
      name: 'folders-by-their-top',
      severity: 'error',
      comment:
        'A folder is imported by the files that lie directly in it, never by a folder inside it. folders-import-one-way ' +
        'depends on this: it sees the folder of the imported file alone.',
      from: { path: `^(${rooms})/([^/]+)/` },
      // The core of @laurel/activity is a room of its own: optional modules know its folders.
      to: { path: '^$1/[^/]+/[^/]+/', pathNot: ['^$1/$2/', '^libs/activity/src/core/[^/]+/[^/]+$'] },
    },
    {
      name: 'inner-folders-by-their-top',
      severity: 'error',
      comment: 'The same, one folder deeper.',
      from: { path: `^(${rooms}/[^/]+)/([^/]+)/` },
      to: { path: '^$1/[^/]+/[^/]+/', pathNot: '^$1/$2/' },
    },
    {
      name: 'apps-start-at-their-root',
      severity: 'error',
      comment: 'The files at the root of an app put its folders together; no folder imports them.',
      from: { path: '^(apps/[^/]+/src)/[^/]+/' },
      to: { path: '^$1/[^/]+$' },
    },
    {
      name: 'activity-core-knows-no-module',
      severity: 'error',
      comment: 'The core knows the optional modules by the ports of extensions/ alone.',
      from: { path: '^libs/activity/src/core/' },
      to: { path: `^libs/activity/src/(?:${optional})/` },
    },
    { name: 'unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'leaderboard-is-framework-free',
      severity: 'error',
      comment: 'libs/leaderboard may use ioredis, cluster-key-slot, temporal-polyfill and node: modules, nothing else.',
      from: { path: '^libs/leaderboard/src', pathNot: '\\.spec\\.ts$' },
      to: {
        path: '.',
        pathNot: [
          '^libs/leaderboard/',
          'node_modules/(ioredis|cluster-key-slot|temporal-polyfill)/',
          '^(node:)?[a-z_/]+$',
        ],
      },
    },
    {
      name: 'activity-knows-only-the-engine',
      severity: 'error',
      from: { path: '^libs/activity/' },
      to: { path: '^(apps|test|libs/(?!activity|leaderboard))' },
    },
    {
      name: 'ingest-feeds-activity',
      severity: 'error',
      from: { path: '^libs/ingest/' },
      to: { path: '^(apps|test|libs/(?!ingest|activity))' },
    },
    {
      name: 'reports-read-what-activity-wrote',
      severity: 'error',
      from: { path: '^libs/reports/' },
      to: { path: '^(apps|test|libs/(?!reports|activity|leaderboard))' },
    },
    {
      name: 'servers-knows-no-room',
      severity: 'error',
      from: { path: '^libs/servers/' },
      to: { path: '^(apps|test|libs/(?!servers))' },
    },
    {
      name: 'settings-configure-activity',
      severity: 'error',
      comment:
        'libs/settings turns environment variables into options of the module: it may use the module and the engine.',
      from: { path: '^libs/settings/' },
      to: { path: '^(apps|test|libs/(?!settings|activity|leaderboard))' },
    },
    {
      name: 'outbox-knows-only-the-database',
      severity: 'error',
      comment: 'libs/outbox may use pg and node: modules, nothing else; what is for drizzle, drizzle.',
      from: { path: '^libs/outbox/src', pathNot: '\\.spec\\.ts$|/drizzle-write\\.ts$' },
      to: { path: '.', pathNot: ['^libs/outbox/', 'node_modules/(@types/)?pg/', '^(node:)?[a-z_/]+$'] },
    },
    {
      name: 'archive-keeps-standings-in-the-database',
      severity: 'error',
      comment: "libs/archive may use pg, node: modules and the module's port of an archive.",
      from: { path: '^libs/archive/src', pathNot: '\\.spec\\.ts$' },
      to: {
        path: '.',
        pathNot: ['^libs/(archive|activity|leaderboard)/', 'node_modules/(@types/)?pg/', '^(node:)?[a-z_/]+$'],
      },
    },
    {
      name: 'testing-knows-the-module-and-a-redis',
      severity: 'error',
      from: { path: '^libs/testing/' },
      to: { path: '^(apps|test|libs/(?!testing|activity|leaderboard|servers/src/redis/index))' },
    },
    {
      name: 'apps-do-not-share',
      severity: 'error',
      comment: 'But for the demo, which is a program above the community.',
      from: { path: '^apps/([^/]+)/', pathNot: '^apps/demo/' },
      to: { path: '^(test|apps)/', pathNot: '^apps/$1/' },
    },
    {
      name: 'community-knows-only-the-packages',
      severity: 'error',
      comment: 'The community is there to be copied: it imports packages by their public entry points, no internals.',
      from: { path: '^apps/community/' },
      to: {
        path: '^libs/',
        pathNot: `^libs/(activity|archive|ingest|leaderboard|outbox|reports|settings)/src/((core|${optional})/index|index|http|drizzle)\\.ts$`,
      },
    },
    {
      name: 'minimal-knows-only-the-package',
      severity: 'error',
      comment:
        'The minimal apps are what somebody writes who has installed @laurel/activity, and nothing else of ours.',
      from: { path: '^apps/minimal' },
      to: { path: '^libs/(?!activity/src/(?:index|core/index)\\.ts$)' },
    },
    {
      name: 'examples-know-only-the-packages',
      severity: 'error',
      comment:
        'An example is what somebody writes who has installed our packages: it knows nothing else, and no other.',
      from: { path: '^examples/([^/]+)/' },
      to: {
        path: '^(apps|test|examples|libs)/',
        pathNot: [
          '^examples/$1/',
          `^libs/(activity|ingest|leaderboard|outbox)/src/((core|${optional})/index|index|boards)\\.ts$`,
        ],
      },
    },
    {
      name: 'web-knows-only-http',
      severity: 'error',
      comment: 'The pages run in a browser: they know the app by its routes alone.',
      from: { path: '^apps/web/' },
      to: { path: '^(libs|test)/' },
    },
    {
      name: 'rooms-by-their-front-door',
      severity: 'error',
      comment: 'Another library is imported by its name, or that of an entry point, not by a path into it.',
      from: { path: '^(apps|libs)/([^/]+)/' },
      to: {
        path: `^libs/([^/]+)/src/(?!(?:index|boards|drizzle|http|internals|(?:redis|core|${optional})/index)\\.ts$)`,
        pathNot: '^$1/$2/',
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|coverage|\\.data)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
