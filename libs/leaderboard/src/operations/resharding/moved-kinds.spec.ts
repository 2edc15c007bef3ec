import { keys } from '../../keys/keys';
import { scripts } from '../../scripts/scripts.generated';
import { kindOf, memberOf } from './moved-kinds';

const nameOf = (key: string): string => key.slice('{lr:1-0}:'.length);
const hostile = ['ann', 'a:b', '{lr:1-0}:board:x', '}:ledger:20261120:bob', '\n\0:💥', '7:7:'];

describe('what moves with a member', () => {
  it.each(hostile)('is found by the names of its keys: %j', (member) => {
    const own = [
      keys.ledger('lr', '1-0', '20261120', member),
      keys.page('lr', '1-0', '20261120', 'a0', member),
      keys.crowd('lr', '1-0', '20261120', member),
      keys.old('lr', '1-0', member),
      keys.always('lr', '1-0', member),
      keys.revokes('lr', '1-0', member),
      keys.owed('lr', '1-0', member),
    ];
    for (const key of own) expect([kindOf(nameOf(key)), memberOf(nameOf(key))]).toEqual(['member', member]);
  });

  it('is told apart from what all shards have, and from what is made anew', () => {
    const kinds = {
      board: keys.board('lr', '1-0', 'day', '2026-11-20'),
      part: keys.boardPart('lr', '1-0', 'team', '2026-11', 'frozen:'),
      aside: keys.aside('lr', '1-0', 'day', '2026-11-20'),
      asidePart: keys.asidePart('lr', '1-0', 'team', '2026-11', 'x'),
      excluded: keys.excluded('lr', '1-0'),
      firstDays: keys.firstDays('lr', '1-0'),
      parts: keys.boardParts('lr', '1-0', 'team', '2026-11'),
      frozen: keys.frozen('lr', '1-0', 'day', '2026-11-20'),
      erased: keys.erased('lr', '1-0'),
      naming: keys.naming('lr', '1-0', 'user:ann'),
      owing: keys.owing('lr', '1-0'),
      claims: keys.claims('lr', '1-0'),
      room: keys.room('lr', '1-0', 'ann'),
      windows: keys.windows('lr', '1-0'),
      changes: keys.changes('lr', '1-0'),
      moving: keys.moving('lr', '1-0'),
      inherited: '{lr:1-0}:constructor',
    };
    expect(Object.fromEntries(Object.entries(kinds).map(([name, key]) => [name, kindOf(nameOf(key))]))).toEqual({
      ...{ board: 'members', part: 'members', aside: 'members', asidePart: 'members' },
      ...{ excluded: 'members', firstDays: 'members', owing: 'members', parts: 'names', naming: 'naming' },
      ...{ frozen: 'mark', erased: 'mark', claims: null, room: null },
      ...{ windows: null, changes: null, moving: null, inherited: null },
    });
  });

  it('is what the guard of the scripts notes', () => {
    const [, table = ''] = /movedKinds = \{([^}]*)\}/.exec(scripts.guardMembers.lua) ?? [];
    const noted = [...table.matchAll(/\[?'?([a-z-]+)'?\]? = '(set|key)'/g)].map(([, word = '', kind]) => [word, kind]);
    expect(noted).toHaveLength(19);
    for (const [word = '', kind] of noted) {
      expect([word, kindOf(`${word}:x`) === 'members' ? 'set' : 'key']).toEqual([word, kind]);
      expect(kindOf(`${word}:x`)).not.toBeNull();
    }
  });
});
