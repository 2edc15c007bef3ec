import type { Fact, Moment } from '../facts/fact';
import type { FieldLaw } from '../facts/laws';
import type { Gift, Transition } from '../model/ledger.types';
import type { BoardSet, CalendarDay } from '../periods/calendar';

/** A giver's field as the owner's ledger has it. */
export interface GiftTransition extends Omit<Transition, 'kind'> {
  readonly kind: 'gift';
  /** The number of the giver's day: its grant may be of a later one. */
  readonly day: number;
  readonly turn: number;
  readonly stands: boolean;
}

/** What a merge asks beside what was recorded: a field's owner is another, or an id is known by this text. */
export interface TakenTransition extends Omit<Transition, 'kind'> {
  readonly kind: 'owner' | 'id';
  /** The number of the field's day. */
  readonly day: number;
}

export const holdKinds: readonly string[] = ['hold', 'release'];

/** Whatever is judged. What a merge takes over is kept where no board is open, too. */
export type AnyTransition = (Transition | GiftTransition | TakenTransition) & { readonly isTaken?: boolean };

/** A transition that is to be judged: its day found, its field named. */
export interface OpenTransition {
  /** The place of its result. */
  readonly index: number;
  readonly transition: AnyTransition;
  readonly name: string;
  readonly day: CalendarDay;
  readonly version: number;
  readonly law: FieldLaw;
  /** The boards on which it counts if its fact names no others. */
  readonly set: BoardSet;
  readonly moment: Moment;
  readonly parts: Fact['parts'];
  readonly gift: Gift | null;
  readonly counterpart: string | null;
}

/** The parts that a transition names; of an adjustment also the only board that it adjusts, under ''. Null: none. */
export function partsOf({ board, partitions }: AnyTransition, partitionKeys: readonly string[]): Fact['parts'] {
  if (board === undefined && (!partitions || partitionKeys.length === 0)) return null;
  const parts: Record<string, string> = board === undefined ? {} : { '': board };
  for (const key of partitionKeys)
    if (partitions && Object.hasOwn(partitions, key)) parts[key] = partitions[key] as string;
  return Object.keys(parts).length > 0 ? parts : null;
}
