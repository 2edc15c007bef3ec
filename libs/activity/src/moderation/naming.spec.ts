import { giverToken, ownerField, readOwnerField } from '../core/rules/ledger-field';
import { namingOf } from './naming';

const ids = ['1', '11', '1:1', ':1', '2:1', '#', '*', '[a]\\^-?', 'x'.repeat(23), '名', '1\n'];

it.each(ids)(
  'namingOf renames the fields of %j alone, each apart, to one nameless giver no longer than a digest',
  (erased) => {
    const { renamed } = namingOf(erased);
    for (const giver of ids) {
      for (const subject of ['a', `#${'x'.repeat(22)}`]) {
        const before = ownerField('abcdefgh', giverToken(giver), subject);
        const after = renamed(before);
        if (giver !== erased) expect(after).toBeNull();
        else {
          expect(readOwnerField(after ?? '')).toEqual({
            code: 'abcdefgh',
            giver: expect.stringMatching(/^#[\w-]{16}$/) as string,
            subject: readOwnerField(before)?.subject,
          });
          expect(Buffer.byteLength(after ?? '')).toBeLessThanOrEqual(64);
        }
      }
    }
    expect(renamed('p:article:7')).toBeNull();
    const own = ownerField('p', giverToken(erased), 'a');
    expect(renamed(own)).not.toBe(namingOf(erased).renamed(own));
  },
);
