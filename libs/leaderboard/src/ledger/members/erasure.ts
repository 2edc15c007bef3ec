import { randomBytes } from 'node:crypto';
import { checkedMember, keys, nameAfterTag } from '../../keys/keys';
import { chunksOf, groupBy, sum } from '../../lists/lists';
import { runScript } from '../../redis/run';
import { readHash, scanEntries } from '../../redis/scan';
import { type Command, sendTogether } from '../../redis/send';
import { served } from '../../redis/served';
import { whenAll } from '../../redis/when-all';
import { scripts } from '../../scripts/scripts.generated';
import { compactDay, dayMs } from '../../time/days';
import type { Period } from '../../time/period';
import { factIn } from '../facts/fact';
import { isPacked, unpackDay } from '../facts/old-day';
import { type FieldsNaming, ForeignFields, type Forgotten, type Heir } from '../history/foreign-fields';
import { giftStem } from '../model/ledger-options';
import { allPages } from '../pages/page-of';
import type { BoardPeriods } from '../periods/board-periods';
import type { LedgerContext } from '../periods/ledger-context';
import type { SetPair, WrittenBoards } from '../periods/written-boards';
import { ledgerFields } from '../recording/member-facts';
import type { FactReader } from '../recording/member-ledger';

/** An erasure's removals. A repeated one removes the rest. */
export interface Erased {
  /** Entries on boards of calendar periods, excluded ones too. */
  readonly boards: number;
  /** Entries in rolling windows, and in their drafts and sums. */
  readonly rolling: number;
  /** Days of which the member had a ledger. */
  readonly ledgers: number;
  /** The member's keys that are of no single day. */
  readonly lists: number;
  /** Fields of other members that named the member: they stay, without the name. An old day counts once. */
  readonly named: number;
}

const [setsACall, membersACall] = [1_000, 1_000];
const [listsACall, namesACall] = [500, 500];
/** More would keep the process from anything else: their fields are judged as soon as they are read. */
const [daysAtOnce, pagesAtOnce] = [8, 32];
/** Days before today that may have a ledger in memory, packed or not yet. */
const mostDays = 400;

/** Takes members out of everything that a ledger has of them. */
export class Erasure {
  private readonly foreign: ForeignFields;

  constructor(
    private readonly ledger: LedgerContext,
    private readonly boards: WrittenBoards,
    private readonly periods: BoardPeriods,
    reader: FactReader,
  ) {
    this.foreign = new ForeignFields(reader);
  }

  /**
   * Removes every trace of a member: boards of all periods, frozen ones as well, rolling windows, ledgers, lists. From
   * its first step, transitions of the member, and those that name them, are refused (`rejected`, `erased`) until the
   * ledger of today accepts no more, so a late transition cannot bring the member back; what others do to what was
   * theirs gives them nothing. Safe to repeat; repeat it after an interruption. Costs some 100 small commands, one a
   * ledger, and a few for each 100 of members who named them or gave them anything, whatever else Redis holds.
   * @param naming how fields of other members' ledgers name the member, where they do otherwise than by gifts: these
   * fields are renamed, and keep their points.
   * @throws LeaderboardError `unavailable` while members are moved to another number of shards.
   */
  async erase(member: string, naming: FieldsNaming | null = null, heir?: Heir): Promise<Erased> {
    checkedMember(member);
    const { inForce } = this.ledger;
    return inForce.unmoved(async () => {
      await inForce.inShards(() => this.refuse(member));
      const forgotten = { member, naming: naming ?? giftNaming(member), heir };
      return inForce.inShards(() => this.eraseTraces(forgotten));
    });
  }

  /**
   * Readmits an erased member; true: {@link erase} had refused them. Four round trips.
   * @throws LeaderboardError `unavailable` while members are moved to another number of shards.
   */
  async readmit(member: string): Promise<boolean> {
    checkedMember(member);
    const { inForce } = this.ledger;
    return inForce.unmoved(() => inForce.inShards(() => this.setRefused(member, 'none')));
  }

  /**
   * The erased ones among the members, as long as they are refused. One round trip, one more for each further 1,000.
   */
  async among(members: readonly string[]): Promise<ReadonlySet<string>> {
    members.forEach(checkedMember);
    return this.ledger.inForce.inShards(async () => {
      const { redis, settings } = this.ledger;
      const own = { erased: keys.erased(settings.prefix, this.ledger.tag(0)) };
      const found = new Set<string>();
      for (const some of chunksOf([...members], membersACall)) {
        const args = { nowMs: settings.clock.now(), members: some };
        const places = (await runScript(redis, scripts.findErased, own, args)) as number[];
        for (const place of places) found.add(some[place - 1] as string);
      }
      return found;
    });
  }

  /**
   * Removes a member from one period of a board, whether shown or excluded; true: they had an entry. One round trip.
   */
  async eraseFrom(board: string, period: Period, member: string, partition: string | null = null): Promise<boolean> {
    checkedMember(member);
    return this.ledger.inForce.inShards(async () => {
      const { keys: shown, asideKeys } = this.periods.boardPeriod(board, period, partition);
      const shard = this.ledger.shardOf(member);
      return (await this.remove(member, [[shown[shard] as string, asideKeys[shard] as string]])) > 0;
    });
  }

  /** Takes a member out of rolling windows, until they are put together anew. Two round trips. */
  async eraseFromWindows(member: string): Promise<void> {
    checkedMember(member);
    await this.ledger.inForce.inShards(() => this.removeFromWindows(member));
  }

  /** Refuses a member from now on, until the ledger of today takes no more. Two round trips. */
  private async refuse(member: string): Promise<void> {
    const { clock, clockSkewMs } = this.ledger.settings;
    // Hosts' clocks differ: another host may date a transition ahead, and accept it later.
    const closesAtMs = this.ledger.calendar.dayOf(clock.now() + 2 * clockSkewMs).ledgerClosesAtMs;
    await this.setRefused(member, Number.isFinite(closesAtMs) ? String(closesAtMs + 2 * clockSkewMs) : 'inf');
  }

  /** Says until when a member is refused, and whether they were. Every shard has all digests, of one salt. */
  private async setRefused(member: string, untilMs: string): Promise<boolean> {
    const { redis, settings, members } = this.ledger;
    const { prefix, tags, clock } = settings;
    // Made by the first process that needs it.
    const of = [keys.layout(prefix), 'erasureSalt'] as const;
    const store: Command = ['hsetnx', ...of, randomBytes(24).toString('base64url')];
    const [, salt] = (await sendTogether(redis, [store, ['hget', ...of]])) as [number, string];
    const args = { member, salt, untilMs, nowMs: clock.now() };
    const was = await Promise.all(
      tags.map((tag) =>
        // Names no member to the guard: a resharding copies the complete list of digests.
        members.run(scripts.refuseMember, { erased: keys.erased(prefix, tag) }, args, { tag, members: [] }),
      ),
    );
    return was.some((one) => one === 1);
  }

  /** Each step finds by itself what is left, so repeating an interrupted erasure completes it. */
  private async eraseTraces(forgotten: Forgotten): Promise<Erased> {
    const { member } = forgotten;
    const { redis, settings } = this.ledger;
    const tag = this.ledger.tagOf(member);
    // The member's entries go first: windows that are built afterwards are built without them.
    const boards = await this.remove(member, await this.boards.of(tag));
    const rolling = await this.removeFromWindows(member);
    await forgotten.heir?.takeFacts(forgotten.naming);
    const sets = [keys.excluded, keys.holding, keys.firstDays, keys.owing];
    const remove = sets.map((keyOf): Command => ['zrem', keyOf(settings.prefix, tag), member]);
    await sendTogether(redis, [...remove, ['hdel', keys.claims(settings.prefix, tag), member]]);
    const own = await this.eraseHashes(tag, forgotten);
    const listed = await whenAll(settings.tags.map((one) => this.forgetListed(one, forgotten)));
    await whenAll(settings.tags.map((one) => this.forgetOwed(one, member)));
    return { boards, rolling, ...own, named: own.named + sum(listed) };
  }

  /** Takes a member out of rolling windows, drafts and sums; returns out of how many. */
  private async removeFromWindows(member: string): Promise<number> {
    return this.remove(member, await this.boards.windows(this.ledger.tagOf(member)));
  }

  /** Takes a member out of the named sets alone; returns out of how many. */
  private async remove(member: string, pairs: readonly SetPair[]): Promise<number> {
    const { settings, members } = this.ledger;
    const tag = this.ledger.tagOf(member);
    let removed = 0;
    const sets = pairs.flat().filter((set) => set !== null);
    for (const some of chunksOf(sets, setsACall)) {
      const own = { changes: keys.changes(settings.prefix, tag), sets: some };
      removed += Number(await members.run(scripts.eraseMember, own, { member }, { tag, members: [member] }));
    }
    return removed;
  }

  /** Removes the member's own hashes; what gave the member anything, or stands in lists by them, forgets it first. */
  private async eraseHashes(tag: string, forgotten: Forgotten): Promise<Pick<Erased, 'ledgers' | 'lists' | 'named'>> {
    const { redis, settings } = this.ledger;
    const { prefix } = settings;
    const { member } = forgotten;
    const ledgerOf = (day: number) => keys.ledger(prefix, tag, compactDay(day), member);
    const crowdOf = (day: number) => keys.crowd(prefix, tag, compactDay(day), member);
    const [days, crowded] = [new Set<number>(), new Set<number>()];
    let named = 0;
    const leave = async (key: string, day: number, fields: readonly (readonly [string, string])[]) => {
      const forgetting = fields.length > 0 ? await this.leave({ tag, key, day }, fields, forgotten) : 0;
      named += forgetting;
    };
    const leaveDay = async (day: number, fields: readonly (readonly [string, string])[]) => {
      if (fields.length === 0) return;
      days.add(day);
      if (fields.length >= ledgerFields) crowded.add(day);
      await leave(ledgerOf(day), day, fields);
    };
    const range = this.daysKept();
    const places = (await runScript(redis, scripts.findThere, { keys: range.map(ledgerOf) }, {})) as number[];
    const there = places.map((place) => range[place - 1] as number);
    for (const some of chunksOf(there, daysAtOnce)) {
      await whenAll(some.map(async (day) => leaveDay(day, await readHash(redis, ledgerOf(day)))));
    }
    // After the ledgers: what is packed meanwhile is found here.
    const old = keys.old(prefix, tag, member);
    for (const [day, text] of await readHash(redis, old)) {
      await leaveDay(Number(day), isPacked(text) ? [...unpackDay(text)] : await readHash(redis, ledgerOf(Number(day))));
    }
    const pages: string[] = [];
    for (const day of crowded) {
      for (const some of chunksOf(allPages, pagesAtOnce)) {
        const own = some.map((page) => keys.page(prefix, tag, compactDay(day), page, member));
        await whenAll(own.map(async (key) => leave(key, day, await readHash(redis, key))));
        pages.push(...own);
      }
    }
    const [always, revokes] = [keys.always(prefix, tag, member), keys.revokes(prefix, tag, member)];
    for (const key of [always, revokes]) await leave(key, -1, await readHash(redis, key));
    await this.unlink([...pages, ...[...new Set([...range, ...days])].flatMap((day) => [ledgerOf(day), crowdOf(day)])]);
    // One of these lists the member's days, so they go last.
    const others = [always, revokes, keys.owed(prefix, tag, member), keys.room(prefix, tag, member), old];
    return { ledgers: days.size, lists: await this.unlink(others), named };
  }

  /** Takes one of the member's hashes out of lists of keys that name others, and makes its givers' facts forget. */
  private async leave(
    { tag, key, day }: { readonly tag: string; readonly key: string; readonly day: number },
    fields: readonly (readonly [name: string, text: string])[],
    forgotten: Forgotten,
  ): Promise<number> {
    const { prefix, fieldNames } = this.ledger.settings;
    const texts = new Set<string>();
    const givers = new Set<string>();
    for (const [name, text] of fields) {
      const owner = text.includes('[') ? (factIn(text, day)?.owner ?? null) : null;
      const giver = fieldNames.isPaged(name) ? (owner ?? fieldNames.giver(name)) : null;
      for (const one of [owner, giver, ...forgotten.naming.textsIn(name)]) if (one !== null) texts.add(one);
      if (giver !== null) givers.add(giver);
    }
    await this.unlist(this.listsOf(tag, texts), [nameAfterTag(key)]);
    let named = 0;
    for (const [of, own] of groupBy(givers, (giver) => this.ledger.tagOf(giver))) {
      const date = compactDay(day);
      const hashes = own.flatMap((giver) => [keys.ledger(prefix, of, date, giver), keys.always(prefix, of, giver)]);
      named += await this.foreign.forget(of, hashes.map(nameAfterTag), forgotten);
    }
    return named;
  }

  /** Makes what a shard's lists name forget the member. */
  private async forgetListed(tag: string, forgotten: Forgotten): Promise<number> {
    const lists = this.listsOf(tag, [forgotten.member, ...forgotten.naming.texts]);
    const read = lists.map((list): Command => ['zrange', list, 0, namesACall - 1]);
    let named = 0;
    for (;;) {
      const names = [...new Set((await sendTogether(this.ledger.redis, read)).flat() as string[])];
      if (names.length === 0) return named;
      named += await this.foreign.forget(tag, names, forgotten);
      await this.unlist(lists, names);
    }
  }

  /** The lists of a shard's keys that name a member by one of the texts without being found by the member's id. */
  private listsOf(tag: string, texts: Iterable<string>): string[] {
    return [...new Set(texts)].map((text) => keys.naming(this.ledger.settings.prefix, tag, text));
  }

  /** Takes keys out of the lists that they stand in. One round trip for each 500 lists and names. */
  private async unlist(all: readonly string[], names: readonly string[]): Promise<void> {
    for (const lists of chunksOf(all, listsACall)) {
      for (const some of chunksOf(names, namesACall)) {
        await sendTogether(
          this.ledger.redis,
          lists.map((list): Command => ['zrem', list, ...some]),
        );
      }
    }
  }

  /** Forgets what members of a shard owe the member, and have not given yet. */
  private async forgetOwed(tag: string, owner: string): Promise<void> {
    const { redis, settings } = this.ledger;
    const owing = keys.owing(settings.prefix, tag);
    for await (const entries of scanEntries(redis, owing, setsACall)) {
      for (const [member] of entries) {
        const owed = keys.owed(settings.prefix, tag, member);
        const notes = await readHash(redis, owed);
        const own = notes.filter(([, text]) => (JSON.parse(text) as { readonly owner: string }).owner === owner);
        if (own.length > 0) await runScript(redis, scripts.settleOwed, { owed, owing }, { member, notes: own.flat() });
      }
    }
  }

  /** The days of which there may be a ledger in memory. */
  private daysKept(): number[] {
    const { settings, calendar } = this.ledger;
    const { clock, clockSkewMs, ledgerRetentionMs } = settings;
    const last = calendar.dayOf(clock.now() + 2 * clockSkewMs).number;
    const first = Math.max(0, last - Math.min(mostDays, Math.ceil((ledgerRetentionMs ?? Infinity) / dayMs) + 2));
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
  }

  private async unlink(some: readonly string[]): Promise<number> {
    const { redis } = this.ledger;
    let gone = 0;
    for (const chunk of chunksOf(some, setsACall))
      gone += await served(redis, chunk[0] as string, () => redis.unlink(...chunk));
    return gone;
  }
}

/** How gifts name their giver where fields are named by themselves. */
function giftNaming(member: string): FieldsNaming {
  const nameless = `#${randomBytes(12).toString('base64url')}`;
  const stem = giftStem(member);
  const renamed = (field: string) => (field.startsWith(stem) ? giftStem(nameless) + field.slice(stem.length) : null);
  return { nameless, texts: [member], pieces: [stem], textsIn: () => [], renamed };
}
