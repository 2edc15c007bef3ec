import { ApiProperty, ApiPropertyOptional } from '../core/peers/decorators';
import { ProblemFault } from '../core/http/problem.responses';
import type { RulesSource } from '../core/rules/rules-in-force';
import { limitSchema, ruleSchema } from '../core/rules/rules-body';

const rulesSources = ['options', 'posted'] as const satisfies readonly RulesSource[];

/** A set of rules that was refused. */
export class RulesRefusal {
  @ApiProperty({ format: 'date-time' })
  readonly at: string;

  @ApiProperty({ type: [ProblemFault] })
  readonly errors: readonly ProblemFault[];
}

/** What is in force on the instance that answers. */
export class RulesAnswer {
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description:
      'Ledgers store it with points; the same rules and limits have the same version. Null: not read from Redis yet.',
    example: 3,
  })
  readonly version: number | null;

  @ApiProperty({
    type: 'integer',
    description: 'Counts the sets of rules that were put in force for all instances; 0: none yet.',
    example: 7,
  })
  readonly revision: number;

  @ApiProperty({ format: 'date-time', description: 'When they were put in force.' })
  readonly since: string;

  @ApiProperty({ enum: rulesSources, description: 'Where they come from.' })
  readonly source: RulesSource;

  @ApiProperty({ type: 'array', items: ruleSchema, description: 'With every default filled in.' })
  readonly rules: readonly object[];

  @ApiProperty({ type: 'array', items: limitSchema, description: 'With every default filled in.' })
  readonly limits: readonly object[];

  @ApiProperty({
    type: RulesRefusal,
    nullable: true,
    description: 'The set that was refused since: rules that this instance cannot use.',
  })
  readonly refused: RulesRefusal | null;
}

/** A rule or a limit that is added, removed or changed. */
export class RuleChange {
  @ApiProperty({ enum: ['rule', 'limit'] })
  readonly kind: 'rule' | 'limit';

  @ApiProperty({ description: "The rule's action or the limit's name.", example: 'praise' })
  readonly name: string;

  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true, description: 'Null: it is added.' })
  readonly before: object | null;

  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true, description: 'Null: it is removed.' })
  readonly after: object | null;
}

/** What is in force, and what has changed or, of a dry run, would change. */
export class RulesChanged extends RulesAnswer {
  @ApiProperty({ type: [RuleChange] })
  readonly changes: readonly RuleChange[];

  @ApiPropertyOptional({ description: 'Of a dry run: nothing has changed.', example: true })
  readonly dryRun?: true;
}
