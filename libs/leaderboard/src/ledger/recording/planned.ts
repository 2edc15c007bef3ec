import type { Moment } from '../facts/fact';
import type { Gift, Transition } from '../model/ledger.types';
import type { CalendarDay } from '../periods/calendar';

/** What a giver's field came to, for the owner's ledger. */
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

/** A transition as it is judged: its day found, its field named. */
export interface Judged {
  readonly kind: AnyTransition['kind'];
  readonly name: string;
  readonly day: number;
  readonly moment: Moment;
  readonly points: number;
  readonly version: number;
  readonly parts: Readonly<Record<string, string>> | null;
  readonly gift: Gift | null;
  readonly counterpart: string | null;
  readonly id: string | null;
  readonly note: string | null;
  /** Of a revoke: it names no day. */
  readonly isGeneral: boolean;
  readonly keepsGifts: boolean;
  /** Of a gift. */
  readonly turn: number;
  readonly stands: boolean;
  /** General revokes before this moment have nothing left to end. */
  readonly revokesFromMs: number;
}

/** What the judge is asked about a transition. */
export function judgedOf(
  transition: AnyTransition,
  about: {
    readonly name: string;
    readonly day: CalendarDay;
    readonly version: number;
    readonly partitionKeys: readonly string[];
    readonly revokesFromMs: number;
  },
): Judged {
  const {
    kind,
    points,
    occurredAtMs,
    sequence = 0,
    partitions,
    board,
    gift,
    counterpart,
    id,
    note,
    grantedAtMs,
  } = transition;
  const { name, day, version, partitionKeys, revokesFromMs } = about;
  const parts: Record<string, string> = board === undefined ? {} : { '': board };
  for (const key of partitionKeys)
    if (partitions && Object.hasOwn(partitions, key)) parts[key] = partitions[key] as string;
  return {
    kind,
    name,
    day: 'day' in transition ? transition.day : day.number,
    points,
    version,
    revokesFromMs,
    moment: { ms: occurredAtMs, sequence },
    parts: Object.keys(parts).length > 0 ? parts : null,
    gift: gift ?? null,
    counterpart: counterpart ?? gift?.member ?? null,
    id: id ?? null,
    note: note ?? null,
    isGeneral: grantedAtMs === undefined,
    keepsGifts: transition.keepsGifts ?? false,
    turn: kind === 'gift' ? transition.turn : 0,
    stands: kind === 'gift' && transition.stands,
  };
}
