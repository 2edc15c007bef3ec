import type { FieldLaw } from '../facts/laws';
import type { Transition } from '../model/ledger.types';
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

/** Whatever is judged. What a merge takes over is kept where no board is open, too. */
export type AnyTransition = (Transition | GiftTransition | TakenTransition) & { readonly isTaken?: boolean };

/** A transition that is to be judged, and the place of its result. */
export interface OpenTransition {
  readonly index: number;
  readonly transition: AnyTransition;
  readonly name: string;
  readonly day: CalendarDay;
  readonly version: number;
  readonly law: FieldLaw;
  /** The boards on which it counts if its fact names no others. */
  readonly set: BoardSet;
}

/** A transition as it is judged: its day found, its field named. */
export type Judged = ReturnType<typeof judgedOf>;

/**
 * A transition as the judge gets it.
 * @param revokesFromMs general revokes before this moment have nothing left to end.
 */
export function judgedOf(
  { transition, name, day, version }: OpenTransition,
  partitionKeys: readonly string[],
  revokesFromMs: number,
) {
  const { kind, points, occurredAtMs: ms, sequence = 0, gift = null, counterpart, id, note, grantedAtMs } = transition;
  return {
    ...{ kind, name, points, version, gift, revokesFromMs, moment: { ms, sequence } },
    day: 'day' in transition ? transition.day : day.number,
    parts: partsOf(transition, partitionKeys),
    counterpart: counterpart ?? gift?.member ?? null,
    ...{ id: id ?? null, note: note ?? null },
    /** Of a revoke: it names no day. */
    isGeneral: grantedAtMs === undefined,
    keepsGifts: transition.keepsGifts ?? false,
    turn: kind === 'gift' ? transition.turn : 0,
    stands: kind === 'gift' && transition.stands,
  };
}

/** The parts that a transition names; of an adjustment also the only board that it adjusts, under ''. Null: none. */
export function partsOf(
  { board, partitions }: AnyTransition,
  partitionKeys: readonly string[],
): Readonly<Record<string, string>> | null {
  if (board === undefined && (!partitions || partitionKeys.length === 0)) return null;
  const parts: Record<string, string> = board === undefined ? {} : { '': board };
  for (const key of partitionKeys)
    if (partitions && Object.hasOwn(partitions, key)) parts[key] = partitions[key] as string;
  return Object.keys(parts).length > 0 ? parts : null;
}
