import { chunksOf, groupBy } from '../../lists/lists';
import { memberHash, type MemberHash, type Shards } from '../../keys/keys';
import { runScript } from '../../redis/run';
import { scripts } from '../../scripts/scripts.generated';
import type { LedgerContext } from '../periods/ledger-context';

/** How a member is named in fields of other members' ledgers: the caller's own naming. */
export interface FieldsNaming extends FieldTexts {
  /** The texts by which fields name the member, as `namedAs` of transitions gives them. */
  readonly texts: readonly string[];
  /** Each such field fits one of them, as `MATCH` of Redis has it; others may fit as well. */
  readonly patterns: readonly string[];
  /**
   * The new name of a field that names the member: it names nobody and equals no other field. Null: the field does not
   * name the member.
   */
  readonly renamed: (field: string) => string | null;
}

/** How fields name other members than their ledger's. */
export interface FieldTexts {
  /** The texts by which a field may name anybody: it may return more. */
  readonly textsIn: (field: string) => readonly string[];
}

/** One with many fields keeps other callers waiting: hashes of one call. */
const hashesACall = 100;
const fieldsACall = 500;
/** Fields that one call looks at: some milliseconds, where they lie in no cache. */
const looksACall = 2_000;

/** How far a search has come. */
interface Reached {
  readonly place: number;
  readonly pattern: number;
  readonly cursor: string;
}

/** What one call found. */
export interface FoundFields {
  /** Of one shard. */
  readonly hashes: readonly MemberHash[];
  /** The place of a hash, from 1, and a field of it. A field may come twice. */
  readonly found: readonly (readonly [of: number, field: string])[];
}

/** Finds fields of members' hashes, and renames them: their points and moments stay. */
export class ForeignFields {
  constructor(private readonly ledger: LedgerContext) {}

  /**
   * Renames fields of those keys that are ledgers or lists of revokes of these shards; returns how many. Round trips as
   * of {@link search}, and one for each page with such fields.
   */
  async rename(keys: readonly string[], shards: Shards, { patterns, renamed }: FieldsNaming): Promise<number> {
    let count = 0;
    for await (const { hashes, found } of this.search(keys, shards, patterns)) {
      const fields = found.flatMap(([of, field]) => {
        const name = renamed(field);
        return name === null ? [] : [[of, field, name]];
      });
      for (const some of chunksOf(fields, fieldsACall)) count += await this.renameIn(hashes, some.flat());
    }
    return count;
  }

  /**
   * Finds fields by patterns in those keys that are ledgers or lists of revokes of these shards. A round trip for each
   * 100 of a shard, and one more for each further 2,000 fields and patterns.
   */
  async *search(keys: readonly string[], shards: Shards, patterns: readonly string[]): AsyncGenerator<FoundFields> {
    const ofShards = keys.flatMap((key) => memberHash(shards, key) ?? []);
    const byTag = groupBy(ofShards, ({ tag }) => tag).values();
    for (const hashes of [...byTag].flatMap((ofTag) => chunksOf(ofTag, hashesACall))) {
      const own = { hashes: hashes.map(({ key }) => key) };
      for (let at: Reached = { place: 1, pattern: 1, cursor: '0' }; at.place <= hashes.length;) {
        const args = { atMost: looksACall, ...at, patterns };
        const [place, pattern, cursor, ...flat] = await this.find(own, args);
        at = { place: Number(place), pattern: Number(pattern), cursor: String(cursor) };
        yield { hashes, found: chunksOf(flat, 2).map(([of, field]) => [Number(of), String(field)] as const) };
      }
    }
  }

  private async find(
    own: { readonly hashes: readonly string[] },
    args: Reached & { readonly atMost: number; readonly patterns: readonly string[] },
  ): Promise<readonly unknown[]> {
    const reply = await runScript(this.ledger.redis, scripts.findFields, own, args);
    if (!Array.isArray(reply)) throw new TypeError('The script gave no list.');
    return reply as readonly unknown[];
  }

  private async renameIn(hashes: readonly MemberHash[], fields: readonly (number | string)[]): Promise<number> {
    const concerned = { tag: hashes[0]?.tag ?? '', members: hashes.map(({ member }) => member) };
    const own = { hashes: hashes.map(({ key }) => key) };
    return Number(await this.ledger.members.run(scripts.renameFields, own, { fields }, concerned));
  }
}
