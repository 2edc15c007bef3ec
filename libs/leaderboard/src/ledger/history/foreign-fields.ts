import { chunksOf, groupBy } from '../../lists/lists';
import { keys, memberHash, nameAfterTag, type MemberHash } from '../../keys/keys';
import { runScript } from '../../redis/run';
import { compactDay } from '../../time/days';
import { scripts } from '../../scripts/scripts.generated';
import { factIn, factText, type Grant } from '../facts/fact';
import { escaped, isPacked, packDay, unpackDay } from '../facts/old-day';
import { pageOf } from '../pages/page-of';
import type { FactReader } from '../recording/member-ledger';
import { expiring, listed, rewrite, sha1, type CommitCommand, type Unit } from '../recording/commit';
import { heldBack, type MemberFacts } from '../recording/member-facts';
import { View } from '../recording/view';

/** How a member is named in fields of other members' ledgers: the caller's own naming. */
export interface FieldsNaming {
  /** In place of the member where a fact names its owner: one token everywhere, so that limits per pair stay. */
  readonly nameless: string;
  /** The texts by which fields name the member, as `namedAs` of transitions gives them. */
  readonly texts: readonly string[];
  /** Each such field has one of these texts in it; others may have it as well. */
  readonly pieces: readonly string[];
  /** The new name of a field that names the member, equal to no other field; null: it does not name the member. */
  readonly renamed: (field: string) => string | null;
  /** The texts by which a field may name anybody else than its ledger's member: it may return more. */
  readonly textsIn: (field: string) => readonly string[];
}

/** A member who is to be named nowhere. */
export interface Forgotten {
  readonly member: string;
  readonly naming: FieldsNaming;
  /** The member who takes over the facts. */
  readonly heir?: Heir | undefined;
}

/** Takes over what a member leaves, before it goes. Whatever it takes twice changes nothing. */
export interface Heir {
  /** The member's own facts, once nothing of the member's moves any more. */
  readonly takeFacts: (naming: FieldsNaming) => Promise<void>;
  /** Takes over others' fields that name the member. */
  readonly takeNamed: (found: readonly FoundField[], forgotten: Forgotten) => Promise<void>;
}

/** A field that was found. */
export interface FoundField {
  readonly hash: MemberHash;
  readonly field: string;
  readonly text: string;
}

interface Changed extends FoundField {
  readonly after: Pick<FoundField, 'field' | 'text'>;
}

const [hashesACall, membersACall] = [100, 100];
/** Bytes that one call looks at: a few milliseconds. */
const bytesACall = 500_000;

/** Finds fields in the ledgers of whomever, and makes them forget a member: points and moments stay. */
export class ForeignFields {
  constructor(private readonly reader: FactReader) {}

  /** Makes hashes of a shard, by their names, forget a member; a day's also packed. Returns of how many fields. */
  async forget(tag: string, names: readonly string[], forgotten: Forgotten): Promise<number> {
    const { settings } = this.reader.context;
    const texts = [JSON.stringify(forgotten.member), ...forgotten.naming.pieces];
    // And that of the member's old days where a day may be packed.
    const withOld = (key: string) => {
      const hash = memberHash(settings, key);
      return hash?.kind === 'ledger' ? [key, hash.oldKey] : [key];
    };
    const all = [...new Set(names.flatMap((name) => withOld(keys.named(settings.prefix, tag, name))))];
    let count = 0;
    for (const some of chunksOf(all, hashesACall)) {
      let missed: number;
      do {
        missed = 0;
        for await (const page of this.search(some, texts)) {
          const found = await this.withOthers(page, texts, forgotten);
          await forgotten.heir?.takeNamed(found, forgotten);
          for (const one of found) count += await this.forgetBeside(one, forgotten);
          const changes = found.flatMap((one) => {
            const [field, text] = this.without(one, forgotten);
            return field === one.field && text === one.text ? [] : [{ ...one, after: { field, text } }];
          });
          const byMember = [...groupBy(changes, ({ hash }) => hash.member)];
          for (const some of chunksOf(byMember, membersACall)) {
            const members = some.map(([member]) => member);
            const holds = await this.reader.readAll(members, (ledger) => ledger.holds);
            const units = some.map(([, own], i) => this.rewritten(own, forgotten, holds[i]));
            const written = await rewrite(this.reader.context, tag, units);
            for (const [i, [, own]] of some.entries()) {
              if (written[i]) count += own.length;
              else missed += own.length;
            }
          }
        }
        // Fields that changed since they were read are read again.
      } while (missed > 0);
    }
    return count;
  }

  /** With the fields that are judged together with these, on other days: all are renamed together, or none. */
  private async withOthers(page: readonly FoundField[], texts: readonly string[], { naming }: Forgotten) {
    const found = new Map<string, FoundField>();
    const add = (some: readonly FoundField[]) => some.forEach((one) => found.set(`${one.hash.key} ${one.field}`, one));
    add(page);
    for (const [hash, name] of page.flatMap((one) => fieldsIn(one).map((own) => [one.hash, own.name] as const))) {
      const { once } = this.reader.context.settings.laws.of(name, 1);
      const isSpread = hash.kind === 'always' || (once > 1 && once < Infinity);
      if (!isSpread || naming.renamed(name) === null) continue;
      const days = await this.reader.read(hash.member, (own) => own.daysOf(name).map((day) => own.ledgerKey(day)));
      for await (const others of this.search([...days, hash.oldKey], texts)) add(others);
    }
    return [...found.values()];
  }

  /** Makes what the owner of such a field was given forget it. */
  private async forgetBeside(found: FoundField, forgotten: Forgotten): Promise<number> {
    const { prefix, fieldNames } = this.reader.context.settings;
    const { kind, member } = found.hash;
    let count = 0;
    for (const { name, text: own, day } of fieldsIn(found)) {
      if (kind === 'page' || forgotten.naming.renamed(name) === null) continue;
      const days = kind === 'always' ? await this.reader.read(member, (ledger) => ledger.daysOf(name)) : [day ?? -1];
      const owner = own.includes('[') ? (factIn(own, day ?? -1)?.owner ?? forgotten.member) : forgotten.member;
      if (owner === forgotten.member) continue;
      const [ofOwner, { field: gift }] = [this.reader.context.tagOf(owner), fieldNames.gift(member, name)];
      const renamed = (field: string) => (field === gift ? forgotten.naming.renamed(field) : null);
      const alone = { ...forgotten, member: gift, naming: { ...forgotten.naming, pieces: [gift], renamed } };
      const pages = days.map((day) => nameAfterTag(keys.page(prefix, ofOwner, compactDay(day), pageOf(gift), owner)));
      const ledgers = days.map((one) => nameAfterTag(keys.ledger(prefix, ofOwner, compactDay(one), owner)));
      count += await this.forget(ofOwner, [...ledgers, ...pages], alone);
    }
    return count;
  }

  /** The name and content of a field that names the member no more. */
  private without({ hash, field, text }: FoundField, { member, naming }: Forgotten): [string, string] {
    const { isPaged, giver } = this.reader.context.settings.fieldNames;
    const forget = (name: string, own: string, day: number): [string, string] => {
      const fact = own.includes('[') ? factIn(own, day) : null;
      const isGift = isPaged(name);
      // What a known giver gave is renamed with the giver's field: it may have to be taken over by its name.
      if (isGift && name !== member && ![member, null].includes(fact?.owner ?? giver(name))) return [name, own];
      if (fact?.owner !== member) return [naming.renamed(name) ?? name, own];
      const ungiven = (grant: Grant | null) => grant && { ...grant, gift: null };
      const left = {
        ...fact,
        first: ungiven(fact.first),
        last: ungiven(fact.last),
        owner: isGift ? null : naming.nameless,
      };
      return [naming.renamed(name) ?? name, factText(left, day)];
    };
    if (hash.kind !== 'old') return forget(field, text, hash.day ?? -1);
    if (!isPacked(text)) return [field, text];
    return [field, packDay([...unpackDay(text)].map(([name, own]) => forget(name, own, Number(field))))];
  }

  /** What is written of one member's hashes. What lies in a page goes to that of its new name. */
  private rewritten(changes: readonly Changed[], { naming }: Forgotten, holds: MemberFacts['holds'] = new Map()): Unit {
    const { calendar, settings } = this.reader.context;
    const { prefix } = settings;
    const { tag, member } = (changes[0] as Changed).hash;
    const view = new View(member);
    if (holds.size > 0) {
      // What is held back by the digest of a name stays so.
      const names = changes.flatMap(fieldsIn).map(({ name }) => name);
      const digests = new Map(names.map((name) => [sha1(name), sha1(naming.renamed(name) ?? name)]));
      const anew = [...holds].map(([id, parts]) => [id, parts?.map(([of, ...at]) => [digests.get(of) ?? of, ...at])]);
      const always = keys.always(prefix, tag, member);
      view.cells.set(always, new Map([[heldBack, JSON.stringify([...holds])]]));
      view.write(always, heldBack, JSON.stringify(anew));
    }
    // The rest of limits may name the owner, and is computed anew.
    const commands: CommitCommand[] = [['DEL', keys.room(prefix, tag, member)]];
    for (const { hash, field, text, after } of changes) {
      view.cells.set(hash.key, (view.cells.get(hash.key) ?? new Map<string, string>()).set(field, text));
      const day = hash.kind === 'page' && after.field !== field ? hash.day : null;
      const page = pageOf(after.field);
      const key = day === null ? hash.key : keys.page(prefix, tag, compactDay(day), page, member);
      if (after.field !== field) view.write(hash.key, field, null);
      view.write(key, after.field, after.text);
      const before = new Set(fieldsIn({ hash, field, text }).map(({ name }) => name));
      for (const { name, day: of } of fieldsIn({ hash, ...after })) {
        if (of === null || before.has(name) || !settings.fieldNames.isPaged(name)) continue;
        // Whom else a gift names finds it by its giver's field, which may be gone by then.
        const lies = hash.kind === 'old' ? keys.ledger(prefix, tag, compactDay(of), member) : key;
        const expireAtMs = calendar.dayNumbered(of)?.ledgerClosesAtMs ?? Infinity;
        for (const other of naming.textsIn(name))
          commands.push(listed(keys.naming(prefix, tag, other), lies, expireAtMs));
        if (day === null) continue;
        const crowd = keys.crowd(prefix, tag, compactDay(day), member);
        commands.push(...expiring(key, expireAtMs), ['HMAX', crowd, `@${page}`, factIn(text, day)?.last?.ms ?? 0]);
      }
    }
    return { view, commands };
  }

  /** Finds fields of members' hashes that have one of the texts, in their names or in what they hold. */
  async *search(names: readonly string[], texts: readonly string[]): AsyncGenerator<FoundField[]> {
    const { redis, settings } = this.reader.context;
    const all = [...new Set(texts.flatMap((text) => [text, escaped(text)]))];
    const hashes = names.flatMap((key) => memberHash(settings, key) ?? []);
    const byTag = [...groupBy(hashes, ({ tag }) => tag).values()];
    for (const some of byTag.flatMap((ofTag) => chunksOf(ofTag, hashesACall))) {
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
}

/** The fields in a found one, with their days: of an old day all that it has. */
export function fieldsIn({ hash: { kind, member, day }, field, text }: FoundField) {
  if (kind !== 'old') return [{ member, day, name: field, text }];
  const own = isPacked(text) ? [...unpackDay(text)] : [];
  return own.map(([name, of]) => ({ member, day: Number(field), name, text: of }));
}
