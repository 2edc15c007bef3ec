'use strict';
const { relative } = require('node:path');
const Sequencer = require('@jest/test-sequencer').default;

/**
 * What takes longest, first: begun last, it would keep one worker busy while the others have nothing left to do. Jest
 * itself knows that of an earlier run alone, and takes large files for long ones: the longest of these have ten lines.
 */
const longest = [
  'test/integration/packages/first-rank.spec.ts',
  'test/browser/states.spec.ts',
  'test/integration/ledger/real-activity.spec.ts',
  'test/community/demo-past.spec.ts',
  'test/integration/bench/',
  'test/integration/connections/',
  'test/integration/packages/versions.spec.ts',
  'test/integration/activity/erased-again.spec.ts',
  'test/integration/leaderboard/leaderboard.spec.ts',
  'test/integration/cli/import-real-activity.spec.ts',
  'test/integration/ledger/resharding.spec.ts',
  'test/integration/ledger/erased.spec.ts',
  'test/cluster/',
  'test/integration/leaderboard/estimates.spec.ts',
  'test/integration/activity/rules.spec.ts',
  'test/integration/settlement/killed.spec.ts',
  'test/integration/settlement/real-activity.spec.ts',
  'test/properties/',
  'test/integration/activity/request-bounds.spec.ts',
  'test/integration/cli/',
  'test/integration/ledger/excluded.spec.ts',
];

const rankOf = ({ path, context }) => {
  const file = relative(context.config.rootDir, path);
  const rank = longest.findIndex((prefix) => file.startsWith(prefix));
  return rank === -1 ? longest.length : rank;
};

module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    return super.sort(tests).sort((a, b) => rankOf(a) - rankOf(b));
  }
};
