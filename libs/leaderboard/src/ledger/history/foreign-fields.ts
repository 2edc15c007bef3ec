import { chunksOf } from '../../lists/lists';
import { keys, memberHash, nameAfterTag, type MemberHash, type Shards } from '../../keys/keys';
import { runScript } from '../../redis/run';
import { compactDay } from '../../time/days';
import { served } from '../../redis/served';
import { scripts } from '../../scripts/scripts.generated';
import { factIn, factText } from '../facts/fact';
import { escaped, isPacked, packDay, unpackDay } from '../facts/old-day';
import type { LedgerContext } from '../periods/ledger-context';
import type { FactReader } from '../recording/fact-reader';

/** How a member is named in fields of other members' ledgers: the caller's own naming. */
export interface FieldsNaming extends FieldTexts {
  /** The texts by which fields name the member, as `namedAs` of transitions gives them. */
  readonly texts: readonly string[];
  /** Each such field has one of these texts in it; others may have it as well. */
  readonly pieces: readonly string[];
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

/** A member who is to be named nowhere. */
export interface Forgotten {
  readonly member: string;
  /** In place of the member where a fact names its owner: the same everywhere, so that limits per pair stay as they are. */
  readonly nameless: string;
  readonly naming: FieldsNaming;
}

/** A field that was found. */
export interface FoundField {
  readonly hash: MemberHash;
  readonly field: string;
  readonly text: string;
}

const hashesACall = 100;
const changesACall = 100;
/** Bytes that one call looks at: a few milliseconds. */
const bytesACall = 500_000;

/** Finds fields in the ledgers of whomever, and makes them forget a member: points and moments stay. */
export class ForeignFields {
  constructor(
    private readonly ledger: LedgerContext,
    private readonly reader: FactReader,
  ) {}

  /**
   * Makes hashes of a shard name a member no more, by names of their keys; returns how many fields did. Where an old
   * day's ledger is named it is found packed as well. A round trip for each 100 hashes, one more for each further half
   * a megabyte, and one for each 100 fields.
   */
  async forget(tag: string, names: readonly string[], forgotten: Forgotten): Promise<number> {
    const { redis, settings, members } = this.ledger;
    const texts = [JSON.stringify(forgotten.member), ...forgotten.naming.pieces];
    const all = [...new Set(names.flatMap((name) => this.withOld(`{${settings.prefix}:${tag}}:${name}`)))];
    let count = 0;
    for (const some of chunksOf(all, hashesACall)) {
      let missed;
      do {
        missed = 0;
        for await (const found of this.search(some, texts)) {
          // Ledgers refer to what has no day by its name.
          const renamed = found.filter(({ hash, field }) => hash.kind === 'always' && forgotten.naming.renamed(field));
          for (const { hash, field } of renamed) {
            const days = await this.reader.read(hash.member, (ledger) => ledger.daysOf(field));
            const ledgers = days.map((day) => keys.ledger(settings.prefix, tag, compactDay(day), hash.member));
            if (days.length > 0) count += await this.forget(tag, ledgers.map(nameAfterTag), forgotten);
          }
          const own = { hashes: [...new Set(found.map(({ hash }) => hash.key))] };
          const changes = found.flatMap((one) => {
            const [field, text] = without(one, forgotten);
            if (field === one.field && text === one.text) return [];
            return [[own.hashes.indexOf(one.hash.key) + 1, one.field, one.text, field, text]];
          });
          for (const chunk of chunksOf(changes, changesACall)) {
            const concerned = { tag, members: found.map(({ hash }) => hash.member) };
            const replaced = await members.run(scripts.replaceFields, own, { changes: chunk.flat() }, concerned);
            count += Number(replaced);
            missed += chunk.length - Number(replaced);
          }
          // What limits leave may name the owner, and is made anew.
          const rooms = [...new Set(found.map(({ hash }) => keys.room(settings.prefix, tag, hash.member)))];
          await served(redis, rooms[0] as string, () => redis.unlink(...rooms));
        }
        // What has changed since it was read is read again.
      } while (missed > 0);
    }
    return count;
  }

  /** Finds fields of hashes of one shard that have one of the texts, in their names or in what they hold. */
  async *search(names: readonly string[], texts: readonly string[]): AsyncGenerator<FoundField[]> {
    const { redis, settings } = this.ledger;
    const shards: Shards = { prefix: settings.prefix, tags: new Set(settings.tags) };
    const all = [...new Set(texts.flatMap((text) => [text, escaped(text)]))];
    const hashes = names.flatMap((key) => memberHash(shards, key) ?? []);
    for (const some of chunksOf(hashes, hashesACall)) {
      const own = { hashes: some.map(({ key }) => key) };
      for (let at = { place: 1, cursor: '0' }; at.place <= some.length;) {
        const reply = await runScript(redis, scripts.findTexts, own, { atMost: bytesACall, ...at, texts: all });
        const [place, cursor, ...flat] = reply as (string | number)[];
        at = { place: Number(place), cursor: String(cursor) };
        const found = chunksOf(flat, 3).map(([of, field, text]): FoundField => ({
          ...{ hash: some[Number(of) - 1] as MemberHash, field: String(field), text: String(text) },
        }));
        if (found.length > 0) yield found;
      }
    }
  }

  /** A key, and that of the member's old days where its day may be packed. */
  private withOld(key: string): string[] {
    const { settings } = this.ledger;
    const hash = memberHash({ prefix: settings.prefix, tags: new Set(settings.tags) }, key);
    return hash?.kind === 'ledger' ? [key, hash.oldKey] : [key];
  }
}

/** What a field is named, and what it holds, once it names the member no more. */
function without({ hash, field, text }: FoundField, { member, nameless, naming }: Forgotten): [string, string] {
  const forget = (name: string, own: string, day: number): [string, string] => {
    const fact = own.includes('[') ? factIn(own, day) : null;
    const isOwner = fact?.owner === member;
    return [
      naming.renamed(name) ?? name,
      isOwner ? factText({ ...fact, owner: nameless, ownerPoints: null }, day) : own,
    ];
  };
  if (hash.kind !== 'old') return forget(field, text, hash.day ?? -1);
  if (!isPacked(text)) return [field, text];
  return [field, packDay([...unpackDay(text)].map(([name, own]) => forget(name, own, Number(field))))];
}
