import { invalidArgument } from '../../errors/errors';
import { checkedMember } from '../../keys/keys';
import { groupBy } from '../../lists/lists';
import { dayMs } from '../../time/days';
import { isAdjustmentField } from '../facts/adjustment';
import { factIn, momentIn, nothing, type Fact, type Moment } from '../facts/fact';
import { holdsSince, type DayField } from '../facts/standing';
import { fieldsIn, type FieldsNaming, type Forgotten, type FoundField, type Heir } from '../history/foreign-fields';
import { idIn, markOf } from '../recording/judge';
import type { FactReader, MemberLedger } from '../recording/member-ledger';
import type { AnyTransition, GiftTransition } from '../recording/planned';
import type { Recording } from '../recording/recording';
import type { Erased, Erasure } from './erasure';

/** The facts that a merge moved, and those that it left. A repeated one finds the rest. */
export interface Merged {
  /** Fields of days that the account had itself, and adjustments. */
  readonly facts: number;
  /** Fields that others gave it. */
  readonly received: number;
  /** Fields of the one account about the other: they count no more. */
  readonly ended: number;
  readonly erased: Erased;
}

/** How fields name members, and which count no more. */
export interface MergeOptions {
  /** As that of an erasure, the same where a merge is repeated. Default: as gifts name their giver. */
  readonly naming?: FieldsNaming | null;
  /** Whether a field of this owner counts no more once it is the member's own. Default: if the member is the owner. */
  readonly ends?: (this: void, field: string, owner: string | null, member: string) => boolean;
}

/** Makes two accounts one. */
export class Merging {
  constructor(
    private readonly reader: FactReader,
    private readonly recording: Recording,
    private readonly erasure: Erasure,
  ) {}

  /**
   * Joins the facts of one account into another's: each is recorded again as the other's, with its moments and by the
   * rules of then, so what was done by both counts once, limits judge all of it together, and open boards move by the
   * difference. Frozen periods stay. What owners got of `from` they get of `into`; what others gave `from` is
   * `into`'s, and if they take it back, `into` loses it. What the one did to the other's ends. `from` is erased
   * and refused from the first step on. Safe to repeat: after an interruption it goes on. Costs an erasure of `from`,
   * and the recording of its facts anew.
   * @throws LeaderboardError `invalidArgument` where both are one; `unavailable` while members are moved to another
   * number of shards.
   */
  async merge(from: string, into: string, { naming = null, ...rules }: MergeOptions = {}): Promise<Merged> {
    if (checkedMember(from) === checkedMember(into)) throw invalidArgument('A member is not merged into itself.');
    // Grants after the first step would be refused.
    await this.recording.payOwed(this.reader.context.settings.clock.now());
    const heir = new MergeHeir(this.reader, this.recording, { from, into, ...rules });
    const erased = await this.erasure.erase(from, naming, heir);
    return { ...heir.counts, erased };
  }

  /** Whether there are facts of a member, its own or what others gave. Reads all of them: two round trips or three. */
  async knows(member: string): Promise<boolean> {
    const { fields, ids, revokes } = await this.reader.read(checkedMember(member), leftOf);
    return fields.length + ids.length + revokes.length > 0;
  }
}

class MergeHeir implements Heir {
  readonly counts = { facts: 0, received: 0, ended: 0 };
  /** By the days and marks of fields, the ids of their grants. */
  private ids: ReadonlyMap<string, readonly { readonly id: string }[]> = new Map();

  constructor(
    private readonly reader: FactReader,
    private readonly recording: Recording,
    private readonly asked: Omit<MergeOptions, 'naming'> & { readonly from: string; readonly into: string },
  ) {}

  async takeFacts(naming: FieldsNaming): Promise<void> {
    const { from, into } = this.asked;
    const { calendar, settings } = this.reader.context;
    const { fields, ids, revokes } = await this.reader.read(from, leftOf);
    this.ids = groupBy(ids, ({ day, of }) => `${day} ${of}`);
    const ended: GiftTransition[] = [];
    const taken: AnyTransition[] = [];
    for (const field of fields) {
      const { name, day, fact } = field;
      const namedAs = naming.textsIn(name);
      if (settings.fieldNames.isPaged(name)) {
        const giver = fact.owner ?? settings.fieldNames.giver(name);
        if (giver === into) continue;
        this.counts.received += 1;
        // An interrupted merge may have given it already, and renamed it since.
        const renamed = naming.renamed(name) ?? name;
        const known = renamed !== name && (await this.reader.read(into, (ledger) => ledger.fact(day, renamed)));
        if (known && (known.first !== null || known.turn > 0)) continue;
        taken.push(...this.again(field, giver === null ? namedAs : [giver, ...namedAs]));
        continue;
      }
      const isKept = !field.isGiving && (await this.isKept(field));
      if ((field.isGiving || isKept) && fact.owner !== null) {
        const { field: gift, texts } = settings.fieldNames.gift(from, name);
        const gone = { points: 0, turn: fact.turn + 1, stands: false, occurredAtMs: 0, namedAs: texts };
        ended.push({ ...gone, kind: 'gift', member: fact.owner, field: gift, day });
      }
      const isOver = this.ends(name, fact.owner, into);
      this.counts[isOver ? 'ended' : 'facts'] += 1;
      const owner = fact.owner === into ? null : fact.owner;
      const left = isOver ? { ...nothing, revoke: fact.revoke } : { ...fact, owner };
      taken.push(...this.again({ ...field, fact: left }, namedAs, isKept));
    }
    const own = { member: into, points: 0 } as const;
    for (const [name, text] of revokes) {
      const about = { ...own, kind: 'revoke', field: name, namedAs: naming.textsIn(name) } as const;
      taken.push(...text.split(',').map((moment) => ({ ...about, ...at(momentIn(moment)) })));
    }
    const day = calendar.dayOf(settings.clock.now()).number;
    for (const { id, note } of ids) taken.push({ ...own, kind: 'id', field: id, id, note, day, occurredAtMs: 0 });
    // For a moment owners have less: nobody ever has anything twice.
    await this.recording.merge(ended, false);
    await this.recording.merge(taken, true);
  }

  async takeNamed(found: readonly FoundField[], { naming }: Forgotten): Promise<void> {
    const { from, into } = this.asked;
    const { calendar, settings } = this.reader.context;
    const taken: AnyTransition[] = [];
    for (const { member, name, text, ...place } of found.flatMap(fieldsIn)) {
      const fact = factIn(text, place.day ?? -1) ?? nothing;
      const { first, last, owner } = fact;
      const isNamed = owner === from || naming.renamed(name) !== null;
      if (!first || !last || !isNamed || member === from || settings.fieldNames.isPaged(name)) continue;
      const own = { member, field: name, points: 0, version: last.version };
      if (member === into && this.ends(name, owner, from)) {
        if (!holdsSince(fact)) continue;
        this.counts.ended += 1;
        const occurredAtMs = Math.max(settings.clock.now(), last.ms + 1);
        taken.push({ ...own, kind: 'revoke', occurredAtMs, grantedAtMs: last.ms });
      } else if (owner === from) {
        const day = place.day ?? calendar.dayOf(first.ms).number;
        const now = member === into ? {} : { counterpart: into };
        taken.push({ ...own, ...now, kind: 'owner', day, note: from, occurredAtMs: first.ms });
      }
    }
    await this.recording.merge(taken, true);
  }

  /** Whether the owner has kept what a voided field gave; an earlier try may have ended it there. */
  private isKept({ name, day, fact: { owner, revoke, turn, last } }: DayField): boolean | Promise<boolean> {
    if (owner === null || !revoke || last?.gift == null) return false;
    const { field } = this.reader.context.settings.fieldNames.gift(this.asked.from, name);
    return this.reader.read(owner, (ledger) => {
      const gift = ledger.fact(day, field);
      return gift.first !== null || gift.turn > turn;
    });
  }

  /** The transitions that made a field's fact: of an id that the other has of it on another day nothing comes. */
  private again({ name, day, fact }: DayField, namedAs: readonly string[], keepsGifts = false): AnyTransition[] {
    const { first, last, revoke, owner, parts, note, turn } = fact;
    const isGift = this.reader.context.settings.fieldNames.isPaged(name);
    const own = {
      ...{ member: this.asked.into, field: name, namedAs },
      ...(parts && { partitions: parts }),
      ...(owner !== null && { counterpart: owner }),
    };
    const startMs = this.reader.context.calendar.dayNumbered(day)?.startMs ?? day * dayMs;
    const version = last?.version ?? 1;
    const all: AnyTransition[] = [];
    if (isAdjustmentField(name) && first) {
      const { points } = first;
      const board = parts?.[''] === undefined ? {} : { board: parts[''] };
      all.push({ ...own, ...at(first), ...board, kind: 'adjust', points, grantedAtMs: startMs, note: note ?? '' });
    } else if (!isGift) {
      for (const grant of new Set([first, last])) {
        if (!grant) continue;
        const gift = owner !== null && grant.gift !== null && { gift: { member: owner, points: grant.gift } };
        const { points, version: by } = grant;
        const asks = { ...own, ...at(grant), ...gift, kind: 'grant', points, version: by } as const;
        const ids = this.ids.get(`${this.reader.context.calendar.dayOf(grant.ms).number} ${markOf(name)}`) ?? [null];
        for (const one of ids) all.push({ ...asks, ...(one && { id: one.id }) });
      }
    }
    const ends = { ...own, kind: 'revoke', points: 0, grantedAtMs: startMs, version, keepsGifts } as const;
    if (revoke) all.push({ ...ends, ...at(revoke) });
    const { points, ...moment } = first ?? { points: 0, ms: startMs, sequence: 0 };
    if (isGift) all.push({ ...own, ...at(moment), kind: 'gift', points, version, day, turn, stands: first !== null });
    return all;
  }

  private ends(name: string, owner: string | null, member: string): boolean {
    const { ends = () => owner === member } = this.asked;
    return ends(this.reader.context.settings.fieldNames.long(name), owner, member);
  }
}

/** All that there is of a member. */
function leftOf(ledger: MemberLedger) {
  ledger.wantAlways();
  const days = ledger.daysBetween(0, Infinity);
  ledger.wantWithRevokes(days);
  const fields: (DayField & { readonly isGiving: boolean })[] = [];
  const add = (day: number, name: string, fact: Fact) =>
    fields.push({ day, name, fact, isGiving: ledger.counted(day, name)?.gift != null });
  for (const day of days)
    for (const [name, fact] of ledger.everyFact(day)) if (ledger.isOfDay(day, name)) add(day, name, fact);
  for (const [name, fact] of ledger.allAlways()) add(ledger.dayOf(fact) ?? 0, name, fact);
  const notes = [...ledger.view.all(ledger.alwaysKey)].filter(([name]) => name.startsWith('#'));
  const ids = notes.map(([name, note]) => ({ ...idIn(note), id: name.slice(1), note }));
  return { fields, ids, revokes: [...ledger.view.all(ledger.revokesKey)] };
}

function at({ ms, sequence }: Moment) {
  return { occurredAtMs: ms, sequence };
}
