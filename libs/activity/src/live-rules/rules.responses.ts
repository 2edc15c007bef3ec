import type { ProblemFault } from '../core/errors/errors';
import { ApiProperty } from '../core/peers/decorators';
import { limitSchema, ruleSchema } from '../core/rules/rules-body';

/** A set of rules that was refused. */
export class RulesRefusal {
  /** @format date-time */
  readonly at: string;
  readonly errors: readonly ProblemFault[];
}

/** The rules and limits in force on the instance that answers. */
export class RulesAnswer {
  /**
   * Ledgers store it with points; the same rules and limits have the same version. Null: not read from Redis yet.
   * @asType integer @example 3
   */
  readonly version: number | null;
  /** Counts the sets of rules that were put in force for all instances; 0: none yet. @asType integer @example 7 */
  readonly revision: number;
  /** When they were put in force. @format date-time */
  readonly since: string;
  /** Where they come from. */
  readonly source: 'options' | 'posted';
  /** With every default filled in. */
  @ApiProperty({ type: 'array', items: ruleSchema })
  readonly rules: readonly object[];
  /** With every default filled in. */
  @ApiProperty({ type: 'array', items: limitSchema })
  readonly limits: readonly object[];
  /** The set that was refused since: rules that this instance cannot use. */
  readonly refused: RulesRefusal | null;
}

/** A rule or a limit that is added, removed or changed. */
export class RuleChange {
  readonly kind: 'rule' | 'limit';
  /** The rule's action or the limit's name. @example praise */
  readonly name: string;
  /** Null: it is added. */
  readonly before: object | null;
  /** Null: it is removed. */
  readonly after: object | null;
}

/** The rules and limits in force, and the changes or, of a dry run, the possible changes. */
export class RulesChanged extends RulesAnswer {
  readonly changes: readonly RuleChange[];
  /** Of a dry run: nothing has changed. @example true */
  readonly dryRun?: true;
}
