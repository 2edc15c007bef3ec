import type { WaitForReplicas } from '../../redis/replicated';
import type { PeriodSpec } from '../../time/period-spec';
import type { Clock } from '../../time/clock';
import type { Laws } from '../facts/laws';
import type { PartsCounted } from '../facts/parts';
import type { Refusal } from '../facts/standing';

/** A board that a ledger feeds: one ordered set for each period of its kind. */
export interface LedgerBoard {
  /** 1 to 32 of `a-z`, `0-9`, `-` and `_`; part of Redis keys and of `scores`. */
  readonly name: string;
  /** How its time is cut; rolling windows are no periods that a ledger feeds. */
  readonly period: PeriodSpec;
  /** Splits the board: one board for each value that transitions name under this key. Others do not count on it. */
  readonly partition?: string | null;
  /** The parts that it counts, by their keys; adjustments that name none count whatever it counts. Default: all. */
  readonly where?: readonly PartsCounted[];
  /** How long after a period's end its board is kept; null keeps it. */
  readonly retentionMs: number | null;
  /** How long after a period's end late transitions still count on it. */
  readonly latenessMs: number;
  /**
   * Whether its periods are frozen when they have closed; a function is asked at each read of a state. Such a period is
   * `settled` when it is frozen, others when they have closed. Default false.
   */
  readonly freezes?: boolean | (() => boolean);
  /**
   * Makes it a tally of the board of this name: it counts grants, not points; only transitions that name it count; no
   * result has it, and it is frozen with that board. Its name is the board's with a suffix, `week.g.m`. Default: none.
   */
  readonly tallyOf?: string | null;
  /**
   * Describes what counts on the board, in a text of the caller's. Redis keeps it with the board, and a board with
   * entries is not opened with another text. Default: none, which differs from every text.
   */
  readonly counts?: string | null;
  /** 0: only entries of a point or more show. null: all do, those below zero too. Nothing stored differs. Default 0. */
  readonly floor?: 0 | null;
  /**
   * Shown scores are capped at this value, from 1, and at its negative; members with more are ordered by their own
   * points. null: no cap. Nothing stored differs. Default null.
   */
  readonly maxPoints?: number | null;
  /** When it was ended, in ms: from then on it takes no transitions, and its period is closed. Default null: not. */
  readonly endedAtMs?: number | null;
  /** Whether its settings may differ from those stored: a repair then makes it anew of the facts. Default false. */
  readonly isMadeAnew?: boolean;
}

/** The options of a {@link Ledger}; an invalid one is refused with `invalidOption`. */
export interface LedgerOptions {
  /** First part of every key. Default `lr`. */
  readonly prefix?: string;
  /** Sets the keys of a ledger apart from those of the others under `prefix`; as a board's name. Default: none. */
  readonly part?: string | null;
  /** How many shards members are spread over. Default: as the data lies; of new data 1, and 16 on a Cluster. */
  readonly shards?: number;
  /** IANA zone in which periods are cut. Default `UTC`. */
  readonly timezone?: string;
  readonly boards: readonly LedgerBoard[];
  /** How long a ledger is kept, and open, after its day; null: for good. Default: as its longest board. */
  readonly ledgerRetentionMs?: number | null;
  /** How far in the future a transition may be dated. Default 300,000. */
  readonly clockSkewMs?: number;
  /** Beyond so many points moments lose a bit whenever the points double; points are exact. Default 1,000,000. */
  readonly maxPoints?: number;
  /**
   * Describes the rules by which points are granted, in a text of the caller's. Redis keeps each different text with a
   * version, and each grant remembers its version. Left out: every grant is of version 1.
   */
  readonly terms?: string | null;
  /** Describes the caller's configuration, in a text of its own. Redis keeps the latest start's. Default: none. */
  readonly about?: string | null;
  /**
   * Compares the `about` text of the previous start with this one. Returns what does not fit, in the words of
   * `settingsMismatch`: what was written, what is configured, and what to do. Called if anything was written. Default:
   * nothing.
   */
  readonly aboutFaults?: (stored: string) => readonly AboutFault[];
  /** Names of boards whose {@link LedgerBoard.counts} may differ from the stored text, on purpose. Default: none. */
  readonly acceptChanges?: readonly string[];
  /** The law of every field. Default: each counts once a day, on every board that is no tally, without limits. */
  readonly laws?: Laws;
  /** Shorter names of fields. They are data: never change what they say of a field. Default: the fields themselves. */
  readonly fieldNames?: FieldNames;
  /** Whether the first day of each member is remembered, for good. Default false. */
  readonly keepsFirstDays?: boolean;
  /** As `BoardReaderOptions.denseMaxAgeMs`, of all its boards. Default 0. */
  readonly denseMaxAgeMs?: number;
  /** As `BoardReaderOptions.headMaxAgeMs`, of all its boards. Default 0. */
  readonly headMaxAgeMs?: number;
  /** How many replicas must have an exclusion or erasure before its call resolves. Default: null, none. */
  readonly waitForReplicas?: WaitForReplicas | null;
  readonly clock?: Clock;
}

/** How ledgers name fields. */
export interface FieldNames {
  /**
   * The name under which a ledger has a field. Two fields have the same name only if they are the same to the caller,
   * and the name of a name is that name again.
   */
  readonly short: (this: void, field: string) => string;
  /** The field of a name, as far as that can be told; of any other name, that name. */
  readonly long: (this: void, name: string) => string;
  /** Whether another member gave it: a day may have any number of these, in pages. No limit counts them. */
  readonly isPaged: (this: void, name: string) => boolean;
  /** By what windows per field know a field: those that differ in an id alone are one. */
  readonly subject: (this: void, name: string) => string;
  /** The giver of such a name; null: the name does not tell. */
  readonly giver: (this: void, name: string) => string | null;
  /** What a member's field is named in the ledger of its owner, and the texts by which it names others there. */
  readonly gift: (
    this: void,
    member: string,
    name: string,
  ) => { readonly field: string; readonly texts: readonly string[] };
}

/** A setting in a text of {@link LedgerOptions.about} that does not fit. */
export interface AboutFault {
  /** Names the setting, its written value and the configured one. */
  readonly fault: string;
  readonly remedy: string;
}

/** The quota of one limit. */
export interface LimitQuota {
  readonly limit: string;
  readonly of: 'grants' | 'points';
  /** null: a limit of the caller's own that does not say. */
  readonly max: number | null;
  readonly used: number | null;
  readonly left: number | null;
  /** Where nothing is left: from when on there is. */
  readonly allowedAgainAtMs: number | null;
  /** The error of a custom limit, which has no other answer then. */
  readonly fault?: string;
}

/** The points of a grant for the owner of its subject, wherever it counts. */
export interface Gift {
  /** The owner: 1 to 128 bytes. */
  readonly member: string;
  readonly points: number;
}

/** What a grant asks for, and by which rules. */
export interface GrantWorth {
  readonly points: number;
  /** Of the rules; as {@link Transition.version}. */
  readonly version?: number;
  /** The owner's points; null: not even a count. */
  readonly gift: number | null;
}

/**
 * A grant or a revoke of one identity, (member, day, field), or an adjustment, which is applied once a field. Or a
 * hold: until a release of its `id`, for good, the `field` of the day of `grantedAtMs` stands for nothing or, without
 * that, any that begins with `field`, since `occurredAtMs`. It keeps its place under limits. Or a revaluation: all that
 * was granted on its day asks for what `worth` says, at the moments at which it was granted.
 */
export interface Transition {
  readonly kind: 'grant' | 'revoke' | 'adjust' | 'hold' | 'release' | 'revalue';
  /** 1 to 128 bytes. */
  readonly member: string;
  /** Names what is granted once: 1 to 96 bytes of the caller's choice; up to 64 ledgers stay small. */
  readonly field: string;
  /** Whole points that a grant asks for, or an adjustment adds, of either sign. */
  readonly points: number;
  readonly occurredAtMs: number;
  /**
   * Names a grant and its revoke, 1 to 96 bytes: of an id each counts once, whatever its date. A revoke ends the grant
   * of its id alone, whichever comes first, if the grant is not the later one. Default: none.
   */
  readonly id?: string;
  /** Orders transitions of one millisecond. Default 0. */
  readonly sequence?: number;
  /** Of a revoke: it ends the field of this moment's day alone. Of an adjustment: it adjusts the boards of that day. */
  readonly grantedAtMs?: number;
  /** By their keys, the parts of partitioned boards that a grant counts on: 1 to 64 bytes each. */
  readonly partitions?: Readonly<Record<string, string>>;
  /** Of a grant: what the owner is given. The first owner that is named for a field is its owner. Default: nothing. */
  readonly gift?: Gift;
  /** Of a grant: the owner of what the field names, for limits per pair: 1 to 128 bytes. Default: that of `gift`. */
  readonly counterpart?: string;
  /** Of a revaluation: what a grant of a field asks for, a pure function. */
  readonly worth?: (
    this: void,
    field: string,
    grant: { readonly ms: number; readonly partitions: Readonly<Record<string, string>> },
  ) => GrantWorth;
  /** Of a revoke: what owners were given stays. Default false. */
  readonly keepsGifts?: boolean;
  /** Other members that the field names: if one of them was erased, the transition is refused. */
  readonly names?: readonly string[];
  /** The text by which the field names each of `names`, where that is not the id: 1 to 128 bytes each. */
  readonly namedAs?: readonly string[];
  /** The version of the rules by which it asks for its points, from `Ledger.terms.versionOf`. Default: the ledger's. */
  readonly version?: number;
  /** Of an adjustment: why, 1 to 512 bytes, kept in the ledger. */
  readonly note?: string;
  /** Of an adjustment: the only board that it adjusts. Default: all that are no tallies. */
  readonly board?: string;
}

/**
 * `granted`, `revoked`: the points changed. `duplicate`: known already. `notGranted`: a revoke that found nothing, or a
 * grant whose revoke came first. `limited`: a limit refused it. `closed`: too old for every board, or for its ledger.
 * `rejected`: dated too far in the future, more points than 2^53, or of a member who was erased.
 */
export type TransitionOutcome = 'granted' | 'revoked' | 'duplicate' | 'limited' | 'notGranted' | 'closed' | 'rejected';

/**
 * What a transition did on one board. `counted`: it changed the points there. `unchanged`: it had nothing to change.
 * `full`: it counts, but the member has more points than the board's `maxPoints`, and shows as many. `refused`: a
 * limit, its date or its points forbid it. `closed`: the period or the day's ledger accepts no more. `notStarted`,
 * `ended`: it occurred before the board's first period, or after its last. `noPartition`: it names no partition of the
 * board.
 */
export type BoardOutcome =
  'counted' | 'unchanged' | 'full' | 'refused' | 'closed' | 'notStarted' | 'ended' | 'noPartition';

/** The result of a transition. */
export interface TransitionResult {
  readonly outcome: TransitionOutcome;
  /** The change of the member's points: positive, negative or 0. */
  readonly points: number;
  /**
   * The member's score after it on each board of the transition's own day that is open and that it counts on; none
   * where it was rejected. A part of a partitioned board is named `name/part`.
   */
  readonly scores: Readonly<Record<string, number>>;
  /** Its effect on each of its boards; for a revoke, on the days whose grants it ended. */
  readonly boards: Readonly<Record<string, BoardOutcome>>;
  /** The boards on which it counted after their period's end. */
  readonly late?: readonly string[];
  /** Why: `future`, `scoreOutOfRange`, `erased`, or the limit that refused the grant or reduced its points. */
  readonly reason?: string;
  /** Of a `limited` one. */
  readonly refusal?: Refusal;
  /** Whether the member is excluded, so that none of it shows; left out if not, or if it was not judged in Redis. */
  readonly excluded?: true;
  /** The result of its {@link Transition.gift}, if the owner gained or lost anything. */
  readonly gift?: { readonly member: string } & Pick<TransitionResult, 'outcome' | 'points' | 'scores'>;
}

/** The content of one field of a ledger. */
export interface LedgerField {
  readonly field: string;
  /** Points that stand: 0 if the grant was revoked. */
  readonly points: number;
  /** Of the terms by which those points were granted; null where nothing stands. */
  readonly version: number | null;
  /** The moment of the grant since which they stand; null where nothing does. */
  readonly sinceMs: number | null;
  /** When it was granted last; null where no grant was seen. */
  readonly grantedAtMs: number | null;
  /** The parts of boards that it names, where it names any. */
  readonly partitions?: Readonly<Record<string, string>>;
  /** Present if the field is an adjustment, whose `points` are what it added. */
  readonly adjustment?: {
    readonly atMs: number;
    readonly note: string;
    /** The only board that it adjusts; null: all that are no tallies, and have no parts. */
    readonly board: string | null;
  };
}

/** The content of one field of a ledger, and its times. */
export interface LedgerLine extends LedgerField {
  /** When the grant was ended, by the earliest revoke that it does not outlast; null while it stands. */
  readonly revokedAtMs: number | null;
}

/** One day of one member's ledger. */
export interface LedgerDay {
  /** `2026-11-20` */
  readonly date: string;
  readonly fields: readonly LedgerField[];
  /**
   * Of a crowded day, as `Histories.days` gives it: what lies in pages of the ledger, added up by the terms' version
   * and by what its fields begin with, up to their second colon.
   */
  readonly totals?: readonly {
    readonly beginning: string;
    readonly version: number;
    readonly grants: number;
    readonly points: number;
  }[];
}
