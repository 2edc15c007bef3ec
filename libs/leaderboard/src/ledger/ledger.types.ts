import type { PeriodSpec } from '../period/period-spec';
import type { Clock } from '../clock';

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
  /** Whether somebody freezes its periods: what may still change is then never called `settled`. Default false. */
  readonly freezes?: boolean;
}

export interface LedgerOptions {
  /** First part of every key. Default `lr`. */
  readonly prefix?: string;
  /** Sets the keys of a ledger apart from those of the others under `prefix`; as a board's name. Default: none. */
  readonly part?: string | null;
  /** How many shards the members are spread over. Default 1. */
  readonly shards?: number;
  /** IANA zone in which periods are cut. Default `UTC`. */
  readonly timezone?: string;
  readonly boards: readonly LedgerBoard[];
  /** How long after its day's end a ledger is kept; null keeps it. Default 31 days. */
  readonly ledgerRetentionMs?: number | null;
  /** How far in the future a transition may be dated. Default 300,000. */
  readonly clockSkewMs?: number;
  /** Points that every board must have room for. Default 1,000,000. */
  readonly maxPoints?: number;
  /**
   * What points are granted by, the caller's own text: each that differs gets a version, kept with it in Redis, and what
   * is granted is remembered with that version. Left out: all is of version 1.
   */
  readonly terms?: string | null;
  readonly clock?: Clock;
}

/** A cap on grants, checked in the same script call as the grant. */
export type TransitionLimit =
  | {
      readonly type: 'sliding';
      /** Names the limit in keys and answers; as a board's name. */
      readonly name: string;
      readonly max: number;
      readonly windowMs: number;
      /** A window for each field, or one for all fields that share the limit. */
      readonly per: 'field' | 'member';
    }
  | {
      readonly type: 'daily';
      readonly name: string;
      readonly max: number;
      /** The standing fields that begin so are counted, among those of the transition's day. */
      readonly fieldPrefix: string;
    };

/** A grant or a revoke of one identity: (member, day, field). */
export interface Transition {
  readonly kind: 'grant' | 'revoke';
  /** 1 to 128 bytes. */
  readonly member: string;
  /** What is granted once: 1 to 64 bytes, the caller's own naming. */
  readonly field: string;
  /** Whole points that a grant gives, from 0; a revoke takes back what was given. */
  readonly points: number;
  readonly occurredAtMs: number;
  /** Orders transitions of one millisecond. Default 0. */
  readonly sequence?: number;
  /** Of a revoke: it ends the field of this moment's day alone. */
  readonly grantedAtMs?: number;
  /** Names of the boards it counts on. Default: all. */
  readonly boards?: readonly string[];
  /**
   * By their keys, the parts of partitioned boards that it counts on: 1 to 64 bytes each. A revoke names those of the
   * grant it takes back.
   */
  readonly partitions?: Readonly<Record<string, string>>;
  /** A field counts once in so many days. Default 1. */
  readonly onceInDays?: number;
  readonly limits?: readonly TransitionLimit[];
}

/**
 * `granted`, `revoked`: the points changed. `duplicate`: known already. `notGranted`: a revoke that found nothing, or a
 * grant whose revoke came first. `limited`: a limit refused it. `closed`: too old for every board, or for its ledger.
 * `rejected`: dated too far in the future, or more points than a board holds.
 */
export type TransitionOutcome = 'granted' | 'revoked' | 'duplicate' | 'limited' | 'notGranted' | 'closed' | 'rejected';

/**
 * What a transition did on one board. `counted`: it changed the points there. `unchanged`: it had nothing to change.
 * `refused`: a limit, its date or the board's range stood against it. `closed`: the period takes no more, or the day's
 * ledger. `notStarted`, `ended`: it occurred before the board's first period, or after its last. `noPartition`: it names
 * no part of the board.
 */
export type BoardOutcome = 'counted' | 'unchanged' | 'refused' | 'closed' | 'notStarted' | 'ended' | 'noPartition';

/** Every {@link BoardOutcome}. */
export const boardOutcomes = [
  'counted',
  'unchanged',
  'refused',
  'closed',
  'notStarted',
  'ended',
  'noPartition',
] as const satisfies readonly BoardOutcome[];

export interface TransitionResult {
  readonly outcome: TransitionOutcome;
  /** The change of the member's points: positive, negative or 0. */
  readonly points: number;
  /**
   * The member's score after it on each board of the transition's own day that is open and that it counts on. A part of
   * a partitioned board is named `name/part`.
   */
  readonly scores: Readonly<Record<string, number>>;
  /** What it did on each board that it is meant for; of a revoke, on the days whose grants it ended. */
  readonly boards: Readonly<Record<string, BoardOutcome>>;
  /** The boards on which it counted after their period's end. */
  readonly late?: readonly string[];
  /** Why, where the outcome alone does not say: the limit's name, `future` or `scoreOutOfRange`. */
  readonly reason?: string;
}

/** What one field of a ledger holds. */
export interface LedgerField {
  readonly field: string;
  /** Points that stand: 0 where it was revoked. */
  readonly points: number;
  /** Of the terms by which those points were granted; null where nothing stands. */
  readonly version: number | null;
}

/** One day of one member's ledger. */
export interface LedgerDay {
  /** `2026-11-20` */
  readonly date: string;
  readonly fields: readonly LedgerField[];
}
