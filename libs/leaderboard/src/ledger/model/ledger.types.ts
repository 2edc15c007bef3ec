import type { WaitForReplicas } from '../../redis/replicated';
import type { PeriodSpec } from '../../time/period-spec';
import type { Clock } from '../../time/clock';

/** A board that a ledger feeds: one ordered set for each period of its kind. */
export interface LedgerBoard {
  /** 1 to 32 of `a-z`, `0-9`, `-` and `_`; part of Redis keys and of `scores`. */
  readonly name: string;
  /** How its time is cut; rolling windows are no periods that a ledger feeds. */
  readonly period: PeriodSpec;
  /** It is one board for each value that transitions name under this key; those that name none do not count on it. */
  readonly partition?: string | null;
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
   * It is a tally beside the board of this name: it counts grants, not points; only transitions that name it count on
   * it; it stands in no answer, and is frozen with that board. Its name goes on behind a dot, `week.g.m`. Default:
   * none.
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
   * The most points that it shows of a member, from 1, and as many below zero. Who has more stands by what they have.
   * null: any. Nothing stored differs. Default null.
   */
  readonly maxPoints?: number | null;
}

/** The options of a {@link Ledger}; an invalid one is refused with `invalidOption`. */
export interface LedgerOptions {
  /** First part of every key. Default `lr`. */
  readonly prefix?: string;
  /** Sets the keys of a ledger apart from those of the others under `prefix`; as a board's name. Default: none. */
  readonly part?: string | null;
  /**
   * How many shards the members are spread over. Default: as many as the data lies in; where there is none 1, and 16 on
   * a Cluster.
   */
  readonly shards?: number;
  /** IANA zone in which periods are cut. Default `UTC`. */
  readonly timezone?: string;
  readonly boards: readonly LedgerBoard[];
  /** How long after its day's end a ledger is kept; null keeps it. Default 31 days. */
  readonly ledgerRetentionMs?: number | null;
  /** How far in the future a transition may be dated. Default 300,000. */
  readonly clockSkewMs?: number;
  /**
   * So many points have room on every board beside moments as exact as can be. Of members with more points the moments
   * lose a bit whenever these double; points are exact up to 2^53. Default 1,000,000.
   */
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
  /** Limits of the caller's own; they become part of the script. Default: none. */
  readonly limitTypes?: readonly LimitType[];
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

/**
 * The names that fields have in Redis. Two fields have the same short name only if they are the
 * same to the caller. A short name of `long`'s field is that short name again.
 */
export interface FieldNames {
  /** The short name of a field. */
  readonly short: (this: void, field: string) => string;
  /** The field of a short name, as far as that can be told; of any other name, that name. */
  readonly long: (this: void, name: string) => string;
  /** What the short names of fields that begin with `prefix` may begin with. */
  readonly beginnings: (this: void, prefix: string) => readonly string[];
  /**
   * Whether it is a field of which a day may have any number: what does not fit into the ledger lies in pages. Its
   * short name is itself, no daily limit counts it, and boards that count it know it by what it begins with up to its
   * second colon.
   */
  readonly isPaged: (this: void, field: string) => boolean;
}

/** A setting in a text of {@link LedgerOptions.about} that does not fit. */
export interface AboutFault {
  /** Names the setting, its written value and the configured one. */
  readonly fault: string;
  readonly remedy: string;
}

/** What a daily limit counts of a day: fields that have points, all that stand, or the points together. */
export interface LedgerCount {
  readonly of: 'grants' | 'points' | 'standing';
  /** The fields that begin with any of these. */
  readonly fieldPrefixes: readonly string[];
  /**
   * In {@link Transition.counts}: the most that a day may have, of all fields that it counts, as their daily limits
   * say. Those are judged in the order of moments then, not of arrival. Default: none.
   */
  readonly max?: number;
}

/** A cap on grants, checked in the same script call as the grant. */
export type TransitionLimit =
  | {
      /** At most `max` grants in any stretch of `windowMs`, those included that were revoked since. */
      readonly type: 'sliding';
      /** Names the limit in keys and answers; as a board's name. */
      readonly name: string;
      readonly max: number;
      readonly windowMs: number;
      /**
       * One window for each field, one for all fields that share the limit, or one for each `counterpart`; a transition
       * without a counterpart is not limited.
       */
      readonly per: 'field' | 'member' | 'pair';
    }
  | {
      /**
       * At most `max` of what `count` counts on the transition's day, or on all days of its `period`, as far as their
       * ledgers are kept: an HGET a day then. Of points, a grant gets what is left.
       */
      readonly type: 'daily';
      readonly name: string;
      readonly max: number;
      readonly count: LedgerCount;
      /** Default: the day. */
      readonly period?: PeriodSpec;
    }
  | {
      /** A limit of the caller's own: one of {@link LedgerOptions.limitTypes}. */
      readonly type: 'own';
      readonly name: string;
      readonly kind: string;
    };

/** The arguments of a custom limit for one transition. */
export interface PreparedLimit {
  /** Up to 8 names, of at most 512 bytes each, within the limit's keys of the member. */
  readonly keys: readonly string[];
  readonly args: readonly (string | number)[];
}

/**
 * A kind of custom limit: bodies of Lua functions of `keys`, `args` and `grant` (`member`, `field`, `points`, `ms`),
 * run within the script call that grants. They call Redis by `call(command, key, ...)`, on their own keys alone.
 */
export interface LimitType {
  /** As a board's name. */
  readonly type: string;
  /**
   * Decides whether a grant may be made. To allow it, returns nothing; to refuse it, returns the first moment at which
   * it would be allowed, in ms, or `false` if that is not known. Changes nothing. If it fails, the grant is refused.
   */
  readonly check: string;
  /** Records the grant, once every limit allows it. If it fails, its writes stay, and the grant is refused. */
  readonly take?: string;
  /** Reverts `take` if the `take` of another custom limit then fails. Left out: the refused grant stays recorded. */
  readonly undo?: string;
  /**
   * Returns three values: how much is used, the maximum, and the first moment at which more is allowed or nil. Changes
   * nothing.
   */
  readonly quota?: string;
}

/**
 * Which limit refused a grant, and when it would allow it. If the grant is delivered again, its limits tell the name,
 * by the place that the limit had among them.
 */
export interface LimitRefusal {
  readonly limit: string;
  /**
   * The first moment at which the same grant would be allowed; for a daily limit the next day's start; null: not known.
   */
  readonly allowedAgainAtMs: number | null;
  /** The error of a custom limit. */
  readonly fault?: string;
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

/** A grant or a revoke of one identity, (member, day, field), or an adjustment, which is applied once a field. */
export interface Transition {
  readonly kind: 'grant' | 'revoke' | 'adjust';
  /** 1 to 128 bytes. */
  readonly member: string;
  /** Names what is granted once: 1 to 96 bytes of the caller's choice; up to 64 ledgers stay small. */
  readonly field: string;
  /**
   * Whole points that a grant gives, of either sign: a grant of 0 counts, and moves no board; a revoke takes back the
   * points that were given. For an adjustment: points to add; negative takes points, never more than there are.
   */
  readonly points: number;
  readonly occurredAtMs: number;
  /**
   * Names a grant and its revoke, 1 to 96 bytes: of an id each counts once, whatever its date, for as long as a board
   * has the grant's points. A revoke ends the grant of its id on that grant's day alone; before that grant is known, it
   * ends what any revoke ends, and the grant that comes later is `notGranted`. Default: none.
   */
  readonly id?: string;
  /** Orders transitions of one millisecond. Default 0. */
  readonly sequence?: number;
  /** Of a revoke: it ends the field of this moment's day alone. Of an adjustment: it adjusts the boards of that day. */
  readonly grantedAtMs?: number;
  /** Names of the boards it counts on, which there must be. Default: all that are no tallies. */
  readonly boards?: readonly string[];
  /**
   * By their keys, the parts of partitioned boards that it counts on: 1 to 64 bytes each. A revoke names those of the
   * grant it takes back.
   */
  readonly partitions?: Readonly<Record<string, string>>;
  /**
   * A field counts once in so many days, from 1 to 31. Infinity: once for good, which each member's `remembered` keeps;
   * a call that finds days there which it did not know takes two round trips more. Default 1.
   */
  readonly onceInDays?: number;
  /**
   * Of a revoke with `grantedAtMs` of what counts once for good: no other day comes to count by it. Default false.
   */
  readonly freesNone?: boolean;
  /** The same list for all transitions that share it: one that is made anew is looked through anew. */
  readonly limits?: readonly TransitionLimit[];
  /** For each of `limits` of the caller's own, in their order. */
  readonly prepared?: readonly PreparedLimit[];
  /** The field by which windows of limits per field know it. Default: its field. */
  readonly limitedAs?: string;
  /** The other member that the transition concerns, for limits per pair: 1 to 128 bytes. */
  readonly counterpart?: string;
  /** Other members that the field names: if one of them was erased, the transition is refused. */
  readonly names?: readonly string[];
  /**
   * The text by which the field names each of `names`, where that is not the id: 1 to 128 bytes each. An erasure finds
   * the field by it.
   */
  readonly namedAs?: readonly string[];
  /**
   * Everything that the caller's daily limits count, of any fields: one list for all transitions. Default: what the
   * `limits` of a call's transitions count. A call with other counts makes ledgers be counted anew.
   */
  readonly counts?: readonly LedgerCount[];
  /**
   * By the names of boards that not every field counts on, what the fields begin with that do: one object for all
   * transitions. Where an entry loses what gave it its time, that of the latest of these is looked for. Default: every
   * field counts on every board; of a tally that is not named here nobody knows, and its entries keep their times.
   */
  readonly beginnings?: Readonly<Record<string, readonly string[]>>;
  /** The version of the rules by which its points are granted, from `Ledger.terms.versionOf`. Default: the ledger's. */
  readonly version?: number;
  /** Of an adjustment: why, 1 to 512 bytes, kept in the ledger. */
  readonly note?: string;
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
export type BoardOutcome = (typeof boardOutcomes)[number];

/** Every {@link BoardOutcome}. */
export const boardOutcomes = [
  'counted',
  'unchanged',
  'full',
  'refused',
  'closed',
  'notStarted',
  'ended',
  'noPartition',
] as const;

/** What became of a transition. */
export interface TransitionResult {
  readonly outcome: TransitionOutcome;
  /** The change of the member's points: positive, negative or 0. */
  readonly points: number;
  /**
   * The member's score after it on each board of the transition's own day that is open and that it counts on. A part of
   * a partitioned board is named `name/part`.
   */
  readonly scores: Readonly<Record<string, number>>;
  /** What the transition did on each of its boards; for a revoke, on the days whose grants it ended. */
  readonly boards: Readonly<Record<string, BoardOutcome>>;
  /** The boards on which it counted after their period's end. */
  readonly late?: readonly string[];
  /**
   * Why, if the outcome alone does not tell: `future`, `scoreOutOfRange`, `erased`, or the name of the limit that
   * refused the grant or reduced its points to what was left.
   */
  readonly reason?: string;
  /** Of a `limited` one. */
  readonly refusal?: LimitRefusal;
  /** Whether the member is excluded, so that none of it shows; left out if not, or if it was not judged in Redis. */
  readonly excluded?: true;
  /** Of an adjustment: by how much it changed each board; of one that was applied before, by how much it did then. */
  readonly changes?: Readonly<Record<string, number>>;
}

/** What one field of a ledger holds. */
export interface LedgerField {
  readonly field: string;
  /** Points that stand: 0 if the grant was revoked. */
  readonly points: number;
  /** Of the terms by which those points were granted; null where nothing stands. */
  readonly version: number | null;
  /** When it was granted last; null where no grant was seen. */
  readonly grantedAtMs: number | null;
  /** Present if the field is an adjustment, whose `points` are what it added. */
  readonly adjustment?: LedgerAdjustment;
}

/** An adjustment as its ledger has it. */
export interface LedgerAdjustment {
  /** The points asked for; 0 for points given back that an adjustment had taken and a revoke took again. */
  readonly asked: number;
  /** By how much it changed each board: less than asked where less was there to take. */
  readonly changes: Readonly<Record<string, number>>;
  readonly atMs: number;
  readonly note: string;
}

/** What one field of a ledger holds, and since when. */
export interface LedgerLine extends LedgerField {
  /** The latest grant seen; null where none was. */
  readonly grantedAtMs: number | null;
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
