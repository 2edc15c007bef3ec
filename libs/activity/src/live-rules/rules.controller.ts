import { Body, Delete, Get, Headers, Post, Query, Res } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ActivityError } from '../core/errors/errors';
import { ApiBearerAuth, ApiBody, ApiHeader, ApiOkResponse, ApiOperation, ApiTags } from '../core/peers/decorators';
import { ApiKeyGuard } from '../core/http/api-key';
import { inDots } from '../core/http/problem';
import { Answers, ApiProblems } from '../core/http/problem.responses';
import { Flag, ProblemValidationPipe } from '../core/http/validation';
import { rulesBodySchema } from '../core/rules/rules-body';
import { RulesInForce } from '../core/rules/rules-in-force';
import { GuardedRoutes } from '../shared/operator-routes';
import { LiveRules } from './live-rules';
import { RulesAnswer, RulesChanged } from './rules.responses';

/** How rules are put in force. */
export class PutRulesQuery {
  @Flag('Whether to check the rules only, and to return what would change.')
  readonly dryRun?: boolean;
}

/** The rules and limits, for operators: read, checked and replaced while the app runs. */
@ApiTags('activity')
@ApiBearerAuth()
@ApiProblems(400, 401, 403)
@GuardedRoutes('activity/rules', ApiKeyGuard)
export class RulesController {
  constructor(
    private readonly rules: LiveRules,
    private readonly inForce: RulesInForce,
    private readonly adapterHost: HttpAdapterHost,
  ) {}

  @Get()
  @ApiOperation({ summary: 'The rules and limits in force, their version, and since when.' })
  @ApiOkResponse({
    type: RulesAnswer,
    headers: { ETag: { description: 'Names the revision, for `If-Match`.', schema: { type: 'string' } } },
  })
  async read(@Res({ passthrough: true }) response: unknown): Promise<RulesAnswer> {
    const { book } = this.inForce;
    const { refused, state } = this.rules;
    const { source, revision, since } = state;
    this.adapterHost.httpAdapter.setHeader(response, 'ETag', `"${revision}"`);
    return {
      version: await this.rules.version(),
      revision,
      since: since.toISOString(),
      source,
      rules: book.rules,
      limits: book.limits.map(({ config }) => config),
      refused: refused && { at: refused.at.toISOString(), errors: refused.faults.map(inDots) },
    };
  }

  @Post()
  @Answers(RulesChanged, 'Puts rules and limits in force, on every instance within three seconds.', {
    description:
      'The body is all of them: what it leaves out is off. A bad one changes nothing, and each fault has its path. ' +
      'Recording under way ends by the rules with which it began. While Redis is away nothing changes (503); where it did ' +
      'not answer in time, read the rules again. Safe to repeat. With `If-Match`, a change of others is not lost: 412 where ' +
      'other rules are in force than those that were read.',
  })
  @ApiBody({ schema: rulesBodySchema as object })
  @ApiExpectsRevision()
  @ApiProblems(412, 413, 415, 503)
  async put(
    @Body(new ProblemValidationPipe()) body: unknown,
    @Query(new ProblemValidationPipe()) { dryRun }: PutRulesQuery,
    @Headers('if-match') ifMatch: string | undefined,
    @Res({ passthrough: true }) response: unknown,
  ): Promise<RulesChanged> {
    const expected = expectedRevision(ifMatch);
    if (!dryRun) return this.changed(response, () => this.rules.put(body, expected));
    this.rules.assertRevision(expected);
    const changes = await this.rules.check(body);
    return { ...(await this.read(response)), changes, dryRun };
  }

  @Delete()
  @Answers(RulesChanged, 'Withdraws the rules that were put in force: each instance goes back to its own options.')
  @ApiExpectsRevision()
  @ApiProblems(400, 412, 503)
  withdraw(
    @Headers('if-match') ifMatch: string | undefined,
    @Res({ passthrough: true }) response: unknown,
  ): Promise<RulesChanged> {
    return this.changed(response, () => this.rules.withdraw(expectedRevision(ifMatch)));
  }

  private async changed(response: unknown, change: () => Promise<RulesChanged['changes']>): Promise<RulesChanged> {
    const changes = await change();
    return { ...(await this.read(response)), changes };
  }
}

/**
 * The revision that an `If-Match` names; null: it names none, or `*`. A proxy that compressed the answer has made a
 * weak tag of it.
 * @throws ActivityError `invalidQuery` where it is no tag of the rules.
 */
function expectedRevision(header: string | undefined): number | null {
  if (header === undefined || header.trim() === '*') return null;
  const [, digits] = /^\s*(?:W\/)?"(\d{1,15})"\s*$/.exec(header) ?? [];
  if (digits !== undefined) return Number(digits);
  const message = 'must be the ETag of GET /activity/rules, such as "3", or *';
  throw new ActivityError('invalidQuery', `If-Match ${message}.`, { faults: [{ path: 'If-Match', message }] });
}

/** Documents the precondition. */
function ApiExpectsRevision(): MethodDecorator {
  const description = 'The ETag of the rules that you have read: 412 if others are in force by now.';
  return ApiHeader({ name: 'If-Match', required: false, description });
}
