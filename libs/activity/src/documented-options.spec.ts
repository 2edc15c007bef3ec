import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { resolveLive } from './live/live.options';
import { resolveOptions } from './core/options/resolve-options';
import { resolveSettlement } from './settlement/settlement.options';
import { resolveTitles } from './titles/titles.options';

const page = readFileSync(join(__dirname, '../../../docs/options.md'), 'utf8');
const rules = [{ action: 'read', points: 1, revocable: true }];
const settings = resolveOptions({ redis: { url: 'redis://127.0.0.1' }, rules });

/** The options of an interface with what docs/options.md says is taken where they are left out, as far as in code. */
function documented(name: string): Map<string, string> {
  const [, table = ''] =
    new RegExp(`<!-- options of ${name} in [^]*?\n\n([^]*?)\n\n<!-- /options -->`).exec(page) ?? [];
  const rows = [...table.matchAll(/^\| `(\w+)` +\| `([\w.]+)`(?:,[^|]*)? +\|/gm)];
  return new Map(rows.map(([, option = '', byDefault = '']) => [option, byDefault.replaceAll('_', '')]));
}

it.each([
  ['ActivityModuleOptions', settings, 9],
  ['ObserverConfig', settings.observers, 3],
  ['LeaderboardConfig', settings.leaderboards[0], 2],
  ['Rule', settings.rules[0], 2],
  ['SettlementModuleOptions', resolveSettlement({}, settings), 5],
  ['LiveModuleOptions', resolveLive({}), 6],
  ['TitlesModuleOptions', resolveTitles({}), 3],
])('the defaults that docs/options.md has are those that are taken: %s', (name, resolved, least) => {
  const inForce = Object.entries(resolved ?? {}).map(([option, value]) => [option, String(value)]);
  const shown = [...documented(name)].filter(([option]) => inForce.some(([known]) => known === option));
  expect(shown.length).toBeGreaterThanOrEqual(least);
  expect(inForce).toEqual(expect.arrayContaining(shown.filter(([, value]) => value !== 'request.user.id')));
});
