import { defaultRules } from '@laurel/activity';
import { resolveOptions } from '@laurel/activity/internals';
import { activityEnvironment } from './activity-environment';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const dayMs = 86_400_000;
const settings = resolveOptions({ redis: { url: 'redis://127.0.0.1' }, ...activityEnvironment({}) });

/** The rows of a table of the README below its head, each as its cells. */
function rowsOf(head: string): string[][] {
  const readme = readFileSync(join(__dirname, '../../../apps/community/README.md'), 'utf8');
  const [, table = ''] = readme.split(new RegExp(`\\n\\| ${head} +\\|[^\\n]*\\n\\| -[^\\n]*\\n`));
  const rows = /^(?:\|.*\n)*/.exec(table)?.[0] ?? '';
  return [...rows.matchAll(/^\|(.*)\|$/gm)].map(([, row = '']) => row.split('|').map((cell) => cell.trim()));
}

describe('the defaults of the community', () => {
  it('are the points, refusals and caps that its README lists', () => {
    const listed = settings.rules.map(({ action, points, ownSubject, revocable, grants, days, once }) => {
      const caps = settings.limits.filter(({ config, ...limit }) => config.type === 'daily' && limit.action === action);
      return [
        `\`${action}\``,
        String(points),
        once ?? (days === 1 ? 'a day' : `${days} days`),
        ownSubject === 'ignore' ? 'nothing' : 'counts',
        revocable ? 'yes' : 'no',
        grants
          .map(({ points, leaderboards }) => (leaderboards ? `${points} on \`${leaderboards.join()}\`` : 'counted'))
          .join(),
        caps.map(({ config }) => `${String(config.max)} a day`).join(),
      ];
    });
    expect(rowsOf('action')).toEqual(listed);
    expect(settings.rules).toHaveLength(defaultRules.length);
    // One of another kind has a column to come.
    expect(settings.limits.map(({ config, action }) => `${config.type} ${action}`)).toEqual(['daily view']);
  });

  it('are the leaderboards that its README lists', () => {
    const listed = settings.leaderboards.map(({ name, period, partition, latenessMs, retentionMs }) => [
      `\`${name}\``,
      period === 'all' ? 'all time' : period,
      partition === null ? '' : 'category',
      period === 'all' ? '' : `${latenessMs / 60_000} minutes`,
      retentionMs === null || period === 'all' ? 'for good' : `${retentionMs / dayMs} days`,
    ]);
    expect(rowsOf('leaderboard')).toEqual(listed);
  });
});
