import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ProblemFault } from '../http/problem.responses';
import type { RuleChange } from './rules-changes';
import { rulesSources, type RulesSource } from '../rules/rules-in-force';

const text = { type: 'string' } as const;

const rule = {
  type: 'object' as const,
  required: ['action', 'points', 'revocable'],
  properties: {
    action: { ...text, example: 'praise' },
    points: { type: 'integer' as const, example: 2 },
    revocable: { type: 'boolean' as const },
  },
  additionalProperties: true,
};

const limit = {
  type: 'object' as const,
  required: ['type'],
  properties: { type: { ...text, example: 'daily' }, name: { ...text, example: 'praise-daily' } },
  additionalProperties: true,
};

/** The body of `POST /activity/rules`, for the OpenAPI document: each rule and limit is as the module's options have it. */
export const rulesBodySchema = {
  type: 'object',
  required: ['rules'],
  additionalProperties: false,
  properties: { rules: { type: 'array', items: rule }, limits: { type: 'array', items: limit } },
  example: {
    rules: [{ action: 'praise', points: 2, revocable: true, ownSubject: 'ignore', code: 'p' }],
    limits: [{ type: 'daily', action: 'praise', max: 50 }],
  },
};

/** A set of rules that was not taken. */
export class RulesRefusal {
  @ApiProperty({ format: 'date-time' })
  readonly at: string;

  @ApiProperty({ enum: rulesSources })
  readonly source: RulesSource;

  @ApiProperty({ type: [ProblemFault] })
  readonly errors: readonly ProblemFault[];
}

/** What is in force on the instance that answers. */
export class RulesAnswer {
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description:
      'Ledgers remember points by it: the same rules and limits have the same. Null: Redis has not told it yet.',
    example: 3,
  })
  readonly version: number | null;

  @ApiProperty({
    type: 'integer',
    description: 'Counts what was put in force for all instances; 0: nothing yet.',
    example: 7,
  })
  readonly revision: number;

  @ApiProperty({ format: 'date-time', description: 'When they were put in force.' })
  readonly since: string;

  @ApiProperty({ enum: rulesSources, description: 'Where they come from.' })
  readonly source: RulesSource;

  @ApiProperty({ type: 'array', items: rule, description: 'With every default filled in.' })
  readonly rules: readonly object[];

  @ApiProperty({ type: 'array', items: limit, description: 'With every default filled in.' })
  readonly limits: readonly object[];

  @ApiProperty({
    type: RulesRefusal,
    nullable: true,
    description: 'What was refused since: a file that had changed, or what this instance could not take.',
  })
  readonly refused: RulesRefusal | null;
}

/** A rule or a limit that comes, goes or differs. */
export class RuleChangeAnswer implements RuleChange {
  @ApiProperty({ enum: ['rule', 'limit'] })
  readonly kind: 'rule' | 'limit';

  @ApiProperty({ description: "The rule's action or the limit's name.", example: 'praise' })
  readonly name: string;

  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true, description: 'Null: it comes.' })
  readonly before: object | null;

  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true, description: 'Null: it goes.' })
  readonly after: object | null;
}

/** What is in force, and what has changed or, of a dry run, would change. */
export class RulesChanged extends RulesAnswer {
  @ApiProperty({ type: [RuleChangeAnswer] })
  readonly changes: readonly RuleChangeAnswer[];

  @ApiPropertyOptional({ description: 'There in answers to a dry run: nothing has changed.', example: true })
  readonly dryRun?: true;
}
