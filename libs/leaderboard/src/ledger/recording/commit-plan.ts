import { createHash } from 'node:crypto';
import { nameAfterTag } from '../../keys/keys';
import { scripts } from '../../scripts/scripts.generated';
import { escaped } from '../facts/old-day';
import type { BoardPeriod } from '../periods/calendar';
import { messagePack } from './message-pack';
import { Places, recordOf } from './places';
import type { Room } from './room';
import type { Text, View } from './view';

const { records } = scripts.commitFacts;

/** Of longer texts, such as packed days, a digest is expected. */
const longText = 64;
const sha1 = (text: string): string => createHash('sha1').update(text).digest('hex');

/** A member's entry on a board after the commit. */
export type EntryChange =
  | { readonly period: BoardPeriod; readonly points: number; readonly sinceMs: number | null }
  | { readonly key: string; readonly score: string | null; readonly on: BoardPeriod };

/** Everything that is written for one member. */
export interface Unit {
  readonly view: View;
  /** Where the field-days script looks. */
  readonly oldKey: string;
  readonly names: readonly string[];
  readonly entries: readonly EntryChange[];
  readonly expiries: ReadonlyMap<string, number>;
  readonly totals: readonly (readonly [key: string, field: string, by: number])[];
  readonly highest: readonly (readonly [key: string, field: string, ms: number])[];
  /** Lists of keys that name others: the list, the key, and when that expires; 0: never. */
  readonly lists: readonly (readonly [list: string, key: string, expireAtMs: number])[];
  /** What limits leave: its key, null: it goes, and until when it is kept. Null: it stays. */
  readonly room: { readonly key: string; readonly room: Room | null; readonly untilMs: number } | null;
  readonly owing: string | null;
  readonly firstDay: number;
}

/** Makes the keys and the plan of commit-facts.lua. */
export class CommitPlan extends Places {
  private readonly units: unknown[] = [];

  constructor(private readonly shard: number) {
    super();
  }

  add(unit: Unit): void {
    const { view } = unit;
    const moves: unknown[] = [];
    const entries: unknown[] = [];
    for (const entry of unit.entries) {
      if ('key' in entry) entries.push(...this.entryOf(entry));
      else moves.push(...this.moveOf(entry));
    }
    const flat = <T>(all: Iterable<T>, values: (one: T) => readonly unknown[]) => [...all].flatMap(values);
    const texts = (hashes: ReadonlyMap<string, ReadonlyMap<string, Text>>) =>
      flat(hashes, ([key, fields]) => flat(fields, ([field, text]) => [this.place(key), field, text ?? false]));
    this.units.push(
      recordOf(records.unit, {
        member: view.member,
        cells: texts(view.cells),
        wholes: flat(view.wholes, ([key, fields]) => [
          this.place(key),
          [...fields].flatMap(([field, text]) => [field, text.length > longText ? sha1(text) : text]),
        ]),
        spans: flat(view.spans, ([name, span]) => [name, escaped(name), span]),
        old: view.spans.size > 0 ? this.place(unit.oldKey) : 0,
        scores: flat(view.scores, ([key, score]) => [this.place(key), score ?? false]),
        names: unit.names,
        writes: texts(view.writes),
        expiries: flat(unit.expiries, ([key, atMs]) => [this.place(key), String(atMs)]),
        moves,
        entries,
        totals: flat(unit.totals, ([key, field, by]) => [this.place(key), field, by]),
        highest: flat(unit.highest, ([key, field, ms]) => [this.place(key), field, ms]),
        lists: flat(unit.lists, ([list, key, atMs]) => [
          this.place(list),
          nameAfterTag(key),
          atMs === 0 ? '+inf' : String(atMs),
        ]),
        room: unit.room ? [this.place(unit.room.key), unit.room.room ?? 0, String(unit.room.untilMs)] : [],
        owing: unit.owing === null ? 0 : this.place(unit.owing),
        firstDay: unit.firstDay,
      }),
    );
  }

  /** The plan as the script reads it. Asked for last: it names keys. */
  pack(about: {
    readonly nowMs: number;
    readonly token: string;
    readonly marks: ReadonlyMap<string, boolean>;
    readonly isErasing: boolean;
    readonly firstDays: string | null;
  }): Buffer {
    const { nowMs, token, marks, isErasing, firstDays } = about;
    const plan = recordOf(records.plan, {
      nowMs,
      token,
      marks: [...marks].flatMap(([key, isThere]) => [this.place(key), isThere ? 1 : 0]),
      isErasing: isErasing ? 1 : 0,
      firstDays: firstDays === null ? 0 : this.place(firstDays),
      units: this.units,
    });
    return messagePack(plan);
  }

  private moveOf({ period, points, sinceMs }: Extract<EntryChange, { period: BoardPeriod }>): readonly unknown[] {
    const { score, expireAtMs } = period;
    return recordOf(records.move, {
      board: this.place(period.keys[this.shard] as string),
      points,
      elapsed: sinceMs === null ? -1 : elapsedOf(period, sinceMs),
      unit: score.unit,
      expireAtMs: momentOf(expireAtMs),
      list: this.listOf(period),
      listName: period.partition ?? '',
    });
  }

  private entryOf({ key, score, on }: Extract<EntryChange, { key: string }>): readonly unknown[] {
    const { expireAtMs, partition } = on;
    return recordOf(records.entry, {
      board: this.place(key),
      score: score ?? false,
      expireAtMs: momentOf(expireAtMs),
      list: score === null ? 0 : this.listOf(on),
      listName: partition ?? '',
    });
  }

  /** Of a part, the set that lists its period's parts. */
  private listOf({ listKeys }: BoardPeriod): number {
    const list = listKeys?.[this.shard];
    return list === undefined ? 0 : this.place(list);
  }
}

/** The tick of a moment on a board; a moment outside its period is at the period's first or last. */
export function elapsedOf({ score: { originMs, endMs, tickMs } }: BoardPeriod, ms: number): number {
  return Math.floor((Math.min(Math.max(ms, originMs), endMs - 1) - originMs) / tickMs);
}

function momentOf(ms: number): string {
  return ms === 0 ? '' : String(ms);
}
