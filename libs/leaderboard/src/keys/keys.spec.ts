import { checkedMember, checkedPrefix, fitsBytes, keys, memberHash, nameInShard } from './keys';

/** Ids that would reach another key if they could. */
const hostile = ['a', 'a:', ':a', 'a:b', '1:a', '{a}', '}', '{', '', ' ', '\n', '\0', 'b', '3:a:b', 'é', '\u{1F3C6}'];

describe('keys', () => {
  it('gives every member and every text of naming keys of their own, however they look', () => {
    const all: string[] = [];
    for (const member of hostile) {
      all.push(keys.ledger('lr', '1-0', '20261120', member), keys.page('lr', '1-0', '20261120', 'a0', member));
      for (const key of [keys.old, keys.always, keys.revokes, keys.owed, keys.room, keys.naming])
        all.push(key('lr', '1-0', member));
    }
    expect(new Set(all).size).toBe(all.length);
  });

  it('gives a board of its own keys that no ledger has', () => {
    const own = [keys.entries, keys.vectors, keys.replaced, keys.expiry].map((key) => key('lr', '1-0'));
    const others = [keys.layout('lr'), keys.boardLayout('lr'), keys.board('lr', '1-0', 'day', '2026-11-20')];
    expect(new Set([...own, ...others]).size).toBe(7);
  });

  it('tells again whose a hash is and of which day, of its own shards alone', () => {
    const shards = { prefix: 'lr', tags: ['1-0', '1-1'] };
    for (const member of hostile) {
      if (member === '') continue;
      const hashes = {
        ledger: [keys.ledger('lr', '1-0', '20261120', member), 20_777],
        page: [keys.page('lr', '1-0', '20261120', 'a0', member), 20_777],
        revokes: [keys.revokes('lr', '1-0', member), null],
        always: [keys.always('lr', '1-0', member), null],
        old: [keys.old('lr', '1-0', member), null],
      } as const;
      for (const [kind, [key, day]] of Object.entries(hashes)) {
        const oldKey = keys.old('lr', '1-0', member);
        expect(memberHash(shards, key)).toEqual({ key, tag: '1-0', member, kind, day, oldKey });
      }
      for (const others of ['lr:x', 'lr@day', 'l']) {
        expect(nameInShard(shards, keys.revokes(others, '1-0', member))).toBeNull();
      }
    }
    expect(nameInShard(shards, keys.ledger('lr', '2-0', '20261120', 'a'))).toBeNull();
    expect(memberHash(shards, keys.board('lr', '1-0', 'day', '2026-11-20'))).toBeNull();
  });

  it.each(['lr', 'a.b-c_d:e', 'x'.repeat(64)])('takes the prefix %j', (prefix) => {
    expect(checkedPrefix('prefix', prefix)).toBe(prefix);
  });

  it.each(['', '{lr}', 'l r', 'lr\n', 'é', 'x'.repeat(65)])('refuses the prefix %j', (prefix) => {
    expect(() => checkedPrefix('prefix', prefix)).toThrow(expect.objectContaining({ code: 'invalidOption' }));
  });

  it.each(['a', '{}', ':', ' ', '\n', '\u{1F3C6}'.repeat(32), 'x'.repeat(128)])('takes the member %j', (member) => {
    expect(checkedMember(member)).toBe(member);
  });

  it.each(['', 'x'.repeat(129), 'é'.repeat(65), '\u{1F3C6}'.repeat(33), '\ud83c', 'a\udfc6'])(
    'refuses the member %j',
    (member) => {
      expect(() => checkedMember(member)).toThrow(expect.objectContaining({ code: 'invalidArgument' }));
    },
  );

  it('measures text in bytes of UTF-8', () => {
    expect([fitsBytes('é', 2), fitsBytes('\u{1F3C6}', 4)]).toEqual([true, true]);
    expect([fitsBytes('é', 1), fitsBytes('\u{1F3C6}', 3)]).toEqual([false, false]);
  });
});
