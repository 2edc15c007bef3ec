import { compactDay, dayMs } from '../../time/days';
import { thawed } from '../cold/cold-form';
import { coldKeys, placeOfLedger } from '../cold/cold-keys';
import type { ColdRecall } from '../cold/cold-recall';
import { chunksOf, sum } from '../../lists/lists';
import { checkedMember, keys, ledgerStem, nameAfterTag } from '../../keys/keys';
import { asideOf } from '../../keys/rolling-keys';
import { scanFields } from '../../redis/scan';
import { scripts } from '../../scripts/scripts.generated';
import { served } from '../../redis/served';
import type { Period } from '../../time/period';
import { whenAll } from '../../redis/when-all';
import { ForeignFields, type FieldsNaming, type FieldTexts } from '../history/foreign-fields';
import { pagesOf } from '../pages/read-pages';
import { ledgerFields } from '../pages/paths';
import type { ColdPlace } from '../model/cold-ledgers';
import { maxDaysScanned } from '../model/ledger-options';
import type { BoardPeriods } from '../periods/board-periods';
import type { BoardPeriod } from '../periods/calendar';
import type { LedgerContext } from '../periods/ledger-context';
import type { WrittenBoards } from '../periods/written-boards';
import { ErasedMembers } from './erased-members';
import { NamingLists, textsInWindow } from './naming-lists';

/** How much there was of a member, by kind. */
export interface Erased {
  /** Entries on boards of periods, and on parts of them, shown or beside. */
  readonly boards: number;
  /** Entries in rolling windows, and in their drafts and sums. */
  readonly rolling: number;
  /** Days of which the member had a ledger. */
  readonly ledgers: number;
  /** Windows of limits. */
  readonly limits: number;
  /** Lists of the member's days, revokes, adjustments and rebuilt entries. */
  readonly lists: number;
  /** Fields in other members' ledgers and lists of revokes that named the member: they stand, and name nobody. */
  readonly named: number;
}

const setsACall = 1_000;
const coldAtOnce = 100;

/** Names of windows and of custom limits' keys. */
const windowName = /^(?:window|limit):/;

/** Of members whom no field of others names. */
const namesNobody: FieldTexts = { textsIn: () => [] };

/** How many windows and fields named a member. */
type NamedKeys = Pick<Erased, 'limits' | 'named'>;

/** Takes members out of everything that a ledger has of them. */
export class Erasure {
  private readonly foreign: ForeignFields;
  private readonly erased: ErasedMembers;
  private readonly lists: NamingLists;

  constructor(
    private readonly ledger: LedgerContext,
    private readonly boards: WrittenBoards,
    private readonly periods: BoardPeriods,
    private readonly cold: ColdRecall,
  ) {
    this.foreign = new ForeignFields(ledger);
    this.erased = new ErasedMembers(ledger);
    this.lists = new NamingLists(ledger);
  }

  /**
   * Removes every trace of a member: boards of all periods, frozen ones as well, rolling windows, ledgers, lists,
   * sliding windows. From its first step, transitions of the member, and those that name them, are refused (`rejected`,
   * `erased`) until the ledger of today accepts no more, so a late transition cannot bring the member back. Safe to
   * repeat; repeat it after an interruption. Costs some 60 commands, a few for each shard and for each 100 ledgers that
   * name the member, whatever else Redis holds.
   * @param naming how fields of other members' ledgers name the member, if they do: these fields are renamed, and keep
   * their points.
   * @throws LeaderboardError `unavailable` while members are moved to another number of shards.
   */
  async erase(member: string, naming: FieldsNaming | null = null): Promise<Erased> {
    checkedMember(member);
    const { inForce } = this.ledger;
    return inForce.unmoved(async () => {
      await inForce.inShards(() => this.erased.refuse(member));
      return inForce.inShards(() => this.eraseTraces(member, naming));
    });
  }

  /**
   * Readmits an erased member; true: {@link erase} had refused them. Four round trips.
   * @throws LeaderboardError `unavailable` while members are moved to another number of shards.
   */
  async readmit(member: string): Promise<boolean> {
    checkedMember(member);
    const { inForce } = this.ledger;
    return inForce.unmoved(() => inForce.inShards(() => this.erased.readmit(member)));
  }

  /**
   * The erased ones among the members, as long as they are refused. One round trip, one more for each further 1,000.
   */
  async among(members: readonly string[]): Promise<ReadonlySet<string>> {
    members.forEach(checkedMember);
    return this.ledger.inForce.inShards(() => this.erased.among(members));
  }

  /**
   * Removes a member from one period of a board, whether shown or excluded; true: they had an entry. One round trip.
   */
  async eraseFrom(board: string, period: Period, member: string, partition: string | null = null): Promise<boolean> {
    checkedMember(member);
    return this.ledger.inForce.inShards(async () => {
      const sets = setsOf(this.periods.boardPeriod(board, period, partition), this.ledger.shardOf(member));
      return (await this.remove(member, sets)) > 0;
    });
  }

  /** Takes a member out of rolling windows, until they are put together anew. Two round trips. */
  async eraseFromWindows(member: string): Promise<void> {
    checkedMember(member);
    await this.ledger.inForce.inShards(() => this.removeFromWindows(member));
  }

  /** Each step finds by itself what is left, so repeating an interrupted erasure completes it. */
  private async eraseTraces(member: string, naming: FieldsNaming | null): Promise<Erased> {
    const { redis, settings } = this.ledger;
    const { prefix } = settings;
    const shard = this.ledger.shardOf(member);
    const tag = this.ledger.tag(shard);
    // The member's entries go first: windows that are built afterwards are built without them.
    const periods = await this.boards.of(shard);
    const boards = await this.remove(
      member,
      periods.flatMap((period) => setsOf(period, shard)),
    );
    const rolling = await this.removeFromWindows(member);
    for (const set of [keys.excluded(prefix, tag), keys.firstDays(prefix, tag)]) {
      await served(redis, set, (key) => redis.zrem(key, member));
    }
    const numbers = await this.ledgerDays(tag, member);
    if (this.cold.isOn && naming) await this.unlistCold(tag, member, naming);
    const days = numbers.map((number) => ledgerStem(prefix, tag, compactDay(number)) + member);
    const [revokes, remembered] = [keys.revokes(prefix, tag, member), keys.remembered(prefix, tag, member)];
    const crowded = await this.unlistHashes(tag, [...days, revokes, remembered], naming);
    for (const hash of crowded.filter((key) => key !== remembered)) await this.unlinkPages(tag, member, hash, naming);
    const ledgers = await this.unlink(days);
    const { limits, named } = await this.lookUpKeys(member, naming);
    if (this.cold.isOn) await this.cold.asked((store) => store.erase(member));
    // One of these lists the member's days, so they go last.
    const own = [keys.revokes, keys.remembered, keys.ids, keys.adjusted, keys.rebuilt, keys.recalled, keys.days];
    const lists = await this.unlink(own.map((key) => key(prefix, tag, member)));
    return { boards, rolling, ledgers, limits, lists, named };
  }

  /** Takes a member out of rolling windows, drafts and sums; returns out of how many. */
  private async removeFromWindows(member: string): Promise<number> {
    const shard = this.ledger.shardOf(member);
    const windows = await this.boards.windows(shard);
    const named = new Set(windows.flatMap((name) => [name, asideOf(name) ?? name]));
    const { prefix } = this.ledger.settings;
    return this.remove(
      member,
      [...named].map((name) => keys.windowNamed(prefix, this.ledger.tag(shard), name)),
    );
  }

  /** Takes a member out of the named sets alone; returns out of how many. */
  private async remove(member: string, sets: readonly string[]): Promise<number> {
    const { settings, members } = this.ledger;
    const tag = this.ledger.tagOf(member);
    const changes = keys.changes(settings.prefix, tag);
    let removed = 0;
    for (const some of chunksOf(sets, setsACall)) {
      const own = { changes, sets: some };
      removed += Number(await members.run(scripts.eraseMember, own, { member }, { tag, members: [member] }));
    }
    return removed;
  }

  /** Of every day that a ledger may be kept of, and of those that are listed. */
  private async ledgerDays(tag: string, member: string): Promise<number[]> {
    const { redis, settings, calendar } = this.ledger;
    const { prefix, clock, clockSkewMs, ledgerRetentionMs } = settings;
    const listed = await served(redis, keys.days(prefix, tag, member), (key) => redis.zrange(key, '0', '-1'));
    const last = calendar.dayOf(clock.now() + 2 * clockSkewMs).number;
    const kept = Math.min(maxDaysScanned, Math.ceil((ledgerRetentionMs ?? Infinity) / dayMs));
    // Those that came back lately.
    const [old = []] = this.cold.isOn ? await this.cold.daysWith([{ member }]) : [];
    const numbers = new Set([...listed.map(Number), ...old]);
    for (let number = last - kept - 2; number <= last; number++) if (number >= 0) numbers.add(number);
    return [...numbers];
  }

  /**
   * Takes the member's hashes out of the lists of keys that name others: they would name the member there. Tells which
   * of them may have pages.
   */
  private async unlistHashes(tag: string, hashes: readonly string[], naming: FieldsNaming | null): Promise<string[]> {
    const { redis } = this.ledger;
    const texts = new Set<string>();
    const sizeOf = async (hash: string): Promise<number> => {
      if (!naming) return served(redis, hash, (key) => redis.hlen(key));
      let size = 0;
      for await (const fields of scanFields(redis, hash)) {
        size += fields.length;
        for (const text of fields.flatMap(naming.textsIn)) texts.add(text);
      }
      return size;
    };
    const sizes = await whenAll(hashes.map(sizeOf));
    if (naming) await this.lists.unlist(tag, texts, hashes.map(nameAfterTag));
    return hashes.filter((_, i) => (sizes[i] ?? 0) >= ledgerFields);
  }

  /** Likewise what is not in Redis: an erased member's ledgers do not come back. */
  private async unlistCold(tag: string, member: string, naming: FieldsNaming): Promise<void> {
    const { prefix } = this.ledger.settings;
    const [days = []] = await this.cold.daysWith([{ member }]);
    for (const some of chunksOf(days, coldAtOnce)) {
      const places = some.map((day) => ({ member, day }));
      for (const [i, body] of (await this.cold.bodies(places)).entries()) {
        if (!body) continue;
        const { ledger, page } = coldKeys(prefix, tag, places[i] as ColdPlace);
        const { fields, pages } = thawed(body);
        const hashes = [
          [ledger, fields] as const,
          ...Object.entries(pages).map(([path, of]) => [page(path), of] as const),
        ];
        for (const [key, of] of hashes) {
          const texts = new Set(of.flatMap(([field]) => naming.textsIn(field)));
          await this.lists.unlist(tag, texts, [nameAfterTag(key)]);
        }
      }
    }
  }

  /** Likewise the pages of one of them, which go, those that others lie below last. A round trip or two a page. */
  private async unlinkPages(tag: string, member: string, hash: string, naming: FieldsNaming | null): Promise<void> {
    const { redis, settings } = this.ledger;
    const [, day] = /^ledger:(\d+):/.exec(nameAfterTag(hash)) ?? [];
    const keyOf = (path: string) =>
      day === undefined
        ? keys.revokesPage(settings.prefix, tag, path, member)
        : keys.ledgerPage(settings.prefix, tag, day, path, member);
    const pages: string[] = [];
    for await (const { key, fields } of pagesOf(redis, keyOf)) {
      pages.unshift(key);
      const texts = new Set(naming ? fields.flatMap(([field]) => naming.textsIn(field)) : []);
      await this.lists.unlist(tag, texts, [nameAfterTag(key)]);
    }
    await this.unlink(pages);
  }

  /** Finds in the shards' lists what names the member beside the member's own keys. */
  private async lookUpKeys(member: string, naming: FieldsNaming | null): Promise<NamedKeys> {
    const { settings } = this.ledger;
    const shards = { prefix: settings.prefix, tags: new Set(settings.tags) };
    const texts = [member, ...(naming?.texts ?? [])];
    const ofShard = async (tag: string): Promise<NamedKeys> => {
      let [limits, named] = [0, 0];
      for (;;) {
        const names = await this.lists.read(tag, texts);
        if (names.length === 0) return { limits, named };
        const [windows, others] = [true, false].map((is) => names.filter((name) => windowName.test(name) === is));
        limits += await this.unlinkWindows(tag, windows ?? [], naming ?? namesNobody);
        const hashes = (others ?? []).map((name) => `{${settings.prefix}:${tag}}:${name}`);
        // They stay in Redis until they are put into the store anew, without the name.
        const old = (others ?? []).flatMap(
          (name) => placeOfLedger(name.replace(/^ledger-page:(\d+):[^:]*:/, 'ledger:$1:')) ?? [],
        );
        if (this.cold.isOn) await this.cold.bring(old);
        if (naming) named += await this.foreign.rename(hashes, shards, naming);
        if (this.cold.isOn && old.length > 0) await this.cold.asked((store) => store.remove(old));
        await this.lists.unlist(tag, texts, names);
      }
    };
    const found = await whenAll(settings.tags.map(ofShard));
    return { limits: sum(found.map(({ limits }) => limits)), named: sum(found.map(({ named }) => named)) };
  }

  /** Windows go out of the lists of everybody whom they name before they go. */
  private async unlinkWindows(tag: string, names: readonly string[], texts: FieldTexts): Promise<number> {
    if (names.length === 0) return 0;
    const all = new Set(names.flatMap((name) => textsInWindow(name, texts)));
    await this.lists.unlist(tag, all, names);
    return this.unlink(names.map((name) => `{${this.ledger.settings.prefix}:${tag}}:${name}`));
  }

  private async unlink(some: readonly string[]): Promise<number> {
    const { redis } = this.ledger;
    let gone = 0;
    for (const chunk of chunksOf(some, setsACall)) {
      gone += await served(redis, chunk[0] as string, () => redis.unlink(...chunk));
    }
    return gone;
  }
}

function setsOf({ keys: shown, asideKeys }: BoardPeriod, shard: number): string[] {
  return [shown[shard] as string, asideKeys[shard] as string];
}
