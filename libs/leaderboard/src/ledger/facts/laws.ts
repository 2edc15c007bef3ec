import type { PeriodSpec } from '../../time/period-spec';

/** The law of one field: how often it counts, what limits it, and where. */
export interface FieldLaw {
  /** It counts once in so many days; Infinity: once for ever. */
  readonly once: number;
  readonly limits: readonly TransitionLimit[];
  /** The names of the boards on which it counts; undefined: all that are no tallies. */
  readonly boards: readonly string[] | undefined;
}

/** The rules of the game, as far as standing needs them. */
export interface Laws {
  /** The law of a field that was granted by a version of the rules. */
  of(name: string, version: number): FieldLaw;
  /** Whether it is known what a version said. Default: yes. */
  knows?(version: number): boolean;
  /** Hears what a version said that it does not know, as `terms` of the options gave it; null: nobody knows. */
  learn?(version: number, text: string | null): void;
  /** Whether any version lets a field count once in several days. Default: those up to the asked one say. */
  spreads?(name: string): boolean;
}

/** Whether days of a field stand or fall by one another. */
export function isSpread(laws: Laws, name: string, version: number): boolean {
  const onces = () => Array.from({ length: version }, (_, before) => laws.of(name, before + 1).once);
  return laws.spreads?.(name) ?? onces().some((once) => once > 1 && once < Infinity);
}

/** A grant as a limit of the caller's own knows it. */
export interface LimitedGrant {
  readonly field: string;
  /** The points that it asks for, or was given. */
  readonly points: number;
  readonly ms: number;
  /** The owner of what the field names. */
  readonly counterpart: string | null;
}

/**
 * A cap on the grants of all fields that are under it: a function of facts, whatever the order in which they arrived.
 */
export type TransitionLimit =
  | {
      /** At most `max` grants in the window that ends at a grant, those included that were revoked since. */
      readonly type: 'sliding';
      /** Names the limit in answers; as a board's name. */
      readonly name: string;
      readonly max: number;
      readonly windowMs: number;
      /** A window for each field, for all that share the limit, or for each owner, without whom nothing is limited. */
      readonly per: 'field' | 'member' | 'pair';
    }
  | {
      /**
       * At most `max` of what holds at that moment on the grant's day, or on all days of its `period`: fields that have
       * points, all that stand, or the points together. Of points, a grant gets what is left.
       */
      readonly type: 'daily';
      readonly name: string;
      readonly max: number;
      readonly of: 'grants' | 'points' | 'standing';
      /** Default: the day. */
      readonly period?: PeriodSpec;
    }
  | {
      /** A limit of the caller's own. */
      readonly type: 'own';
      readonly name: string;
      /** It sees the grants of this window, which ends at the judged grant. */
      readonly windowMs: number;
      readonly per: 'field' | 'member' | 'pair';
      /**
       * Whether a grant is allowed: true, or the first moment at which it would be, or false if that is not known. A
       * pure function of its arguments. If it throws, the grant is refused.
       * @param given what was given in its window, the earliest first.
       */
      readonly allows: (this: void, grant: LimitedGrant, given: readonly LimitedGrant[]) => true | number | false;
      /** How much is used and the maximum, for quotas. Default: not shown. */
      readonly quota?: (
        this: void,
        given: readonly LimitedGrant[],
        atMs: number,
      ) => { readonly used: number; readonly max: number; readonly allowedAgainAtMs?: number | null };
    };
