import type { PeriodKind } from '../period';
import type { Clock } from '../clock';

/** A board that a ledger feeds: one ordered set for each period of its kind. */
export interface LedgerBoard {
  /** 1 to 32 of `a-z`, `0-9`, `-` and `_`; part of Redis keys and of `scores`. */
  readonly name: string;
  readonly period: PeriodKind;
  /** How long after a period's end its board is kept; null keeps it. */
  readonly retentionMs: number | null;
  /** How long after a period's end late transitions still count on it. */
  readonly latenessMs: number;
}

export interface LedgerOptions {
  /** First part of every key. Default `lr`. */
  readonly prefix?: string;
  /** How many shards the members are spread over. Default 1. */
  readonly shards?: number;
  /** IANA zone in which periods are cut. Default `UTC`. */
  readonly timezone?: string;
  readonly boards: readonly LedgerBoard[];
  /** How long after its day's end a ledger is kept; null keeps it. Default 31 days. */
  readonly ledgerRetentionMs?: number | null;
  /** How far in the future a transition may be dated. Default 300,000. */
  readonly clockSkewMs?: number;
  /** Whether somebody freezes its periods: what may still change is then never called `settled`. Default false. */
  readonly freezes?: boolean;
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

export interface TransitionResult {
  readonly outcome: TransitionOutcome;
  /** The change of the member's points: positive, negative or 0. */
  readonly points: number;
  /** The member's score after it on each board of the transition's own day that is open and that it counts on. */
  readonly scores: Readonly<Record<string, number>>;
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
