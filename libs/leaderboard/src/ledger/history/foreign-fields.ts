import { chunksOf, groupBy } from '../../lists/lists';
import { memberHash, type MemberHash, type Shards } from '../../keys/keys';
import { runScript } from '../../redis/run';
import { scripts } from '../../scripts/scripts.generated';
import type { LedgerContext } from '../periods/ledger-context';

/** How a member is named in fields of other members' ledgers: the caller's own naming. */
export interface FieldsNaming {
  /** Each such field fits one of them, as `MATCH` of Redis has it; others may fit as well. */
  readonly patterns: readonly string[];
  /**
   * The new name of a field that names the member: it names nobody and equals no other field. Null: the field does not
   * name the member.
   */
  readonly renamed: (field: string) => string | null;
}

/** One with many fields keeps other callers waiting: hashes of one call. */
const hashesACall = 100;
const fieldsACall = 500;

/** Finds fields of members' hashes and renames them: their points and moments stay. */
export class ForeignFields {
  constructor(private readonly ledger: LedgerContext) {}

  /** Handles those keys that are ledgers or lists of revokes of these shards; returns how many fields it renamed. */
  async rename(keys: readonly string[], shards: Shards, { patterns, renamed }: FieldsNaming): Promise<number> {
    const hashes = keys.flatMap((key) => memberHash(shards, key) ?? []);
    const byTag = groupBy(hashes, ({ tag }) => tag).values();
    const calls = [...byTag].flatMap((ofTag) => chunksOf(ofTag, hashesACall));
    let count = 0;
    for (const asked of calls) {
      const own = { hashes: asked.map(({ key }) => key) };
      const found = await runScript(this.ledger.redis, scripts.findFields, own, { patterns });
      const pairs = pairsIn(found).flatMap(([place, field]) => {
        const [hash, name] = [asked[place - 1], renamed(field)];
        return hash && name !== null ? [{ hash, names: [field, name] }] : [];
      });
      for (const [hash, ofHash] of groupBy(pairs, (pair) => pair.hash)) {
        for (const some of chunksOf(ofHash, fieldsACall)) {
          const fields = some.flatMap(({ names }) => names);
          count += await this.renameIn(hash, fields);
        }
      }
    }
    return count;
  }

  private async renameIn({ key, tag, member }: MemberHash, fields: readonly string[]): Promise<number> {
    const concerned = { tag, members: [member] };
    return Number(await this.ledger.members.run(scripts.renameFields, { hash: key }, { fields }, concerned));
  }
}

function pairsIn(reply: unknown): (readonly [number, string])[] {
  const flat: readonly unknown[] = Array.isArray(reply) ? reply : [];
  return chunksOf(flat, 2).map(([place, field]) => [Number(place), String(field)]);
}
