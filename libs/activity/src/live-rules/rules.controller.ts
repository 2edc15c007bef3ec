import {
  Body,
  Controller,
  Delete,
  Get,
  Headers,
  HttpCode,
  Post,
  Query,
  Res,
  UseFilters,
  UseGuards,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ApiBearerAuth, ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiKeyGuard } from '../http/api-key.guard';
import { inDots } from '../http/problem';
import { ProblemFilter } from '../http/problem.filter';
import { ApiProblems } from '../http/problem.responses';
import { ProblemValidationPipe } from '../http/problem-validation.pipe';
import { RulesInForce } from '../rules/rules-in-force';
import { RulesKeeper } from './rules-keeper';
import { ApiExpectsRevision, expectedRevision, rulesTag } from './rules-precondition';
import { PutRulesQuery } from './rules.dto';
import { RulesAnswer, rulesBodySchema, RulesChanged } from './rules.responses';

/** What counts, for operators: read, checked and replaced while the app runs. */
@ApiTags('activity')
@ApiBearerAuth()
@ApiProblems(400, 401, 403)
@Controller('activity/rules')
@UseGuards(ApiKeyGuard)
@UseFilters(ProblemFilter)
export class RulesController {
  constructor(
    private readonly keeper: RulesKeeper,
    private readonly inForce: RulesInForce,
    private readonly adapterHost: HttpAdapterHost,
  ) {}

  /** `GET /activity/rules` */
  @Get()
  @ApiOperation({ summary: 'The rules and limits in force, their version, and since when.' })
  @ApiOkResponse({
    type: RulesAnswer,
    headers: { ETag: { description: 'Names the revision, for `If-Match`.', schema: { type: 'string' } } },
  })
  read(@Res({ passthrough: true }) response: unknown): Promise<RulesAnswer> {
    return this.told(response);
  }

  private async told(response: unknown): Promise<RulesAnswer> {
    const { book, source, revision, since } = this.inForce.current;
    const { refused } = this.keeper;
    this.adapterHost.httpAdapter.setHeader(response, 'ETag', rulesTag(revision));
    return {
      version: await this.keeper.version(),
      revision,
      since: since.toISOString(),
      source,
      rules: book.rules,
      limits: book.limits.map(({ limit }) => limit.config),
      refused: refused && { at: refused.at.toISOString(), source: refused.source, errors: refused.faults.map(inDots) },
    };
  }

  /** `POST /activity/rules` */
  @Post()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Puts rules and limits in force, on every instance within three seconds.',
    description:
      'The body is all of them: what it leaves out is off. A bad one changes nothing, and each fault is told by its path. ' +
      'What is being recorded ends by the rules with which it began. While Redis is away nothing changes (503); where it ' +
      'did not answer in time, the GET tells. Safe to repeat. With `If-Match`, nobody else’s change is lost: 412 where other ' +
      'rules are in force than those that one has read.',
  })
  @ApiBody({ schema: rulesBodySchema as object })
  @ApiOkResponse({ type: RulesChanged })
  @ApiExpectsRevision()
  @ApiProblems(412, 413, 415, 503)
  async put(
    @Body(new ProblemValidationPipe()) body: unknown,
    @Query(new ProblemValidationPipe()) { dryRun }: PutRulesQuery,
    @Headers('if-match') ifMatch: string | undefined,
    @Res({ passthrough: true }) response: unknown,
  ): Promise<RulesChanged> {
    const expected = expectedRevision(ifMatch);
    if (!dryRun) return this.changed(response, () => this.keeper.put(body, expected));
    this.keeper.expect(expected);
    const changes = await this.keeper.check(body);
    return { ...(await this.told(response)), changes, dryRun };
  }

  /** `DELETE /activity/rules` */
  @Delete()
  @ApiOperation({ summary: 'Withdraws what was put in force: each instance goes back to its own options or file.' })
  @ApiOkResponse({ type: RulesChanged })
  @ApiExpectsRevision()
  @ApiProblems(400, 412, 503)
  withdraw(
    @Headers('if-match') ifMatch: string | undefined,
    @Res({ passthrough: true }) response: unknown,
  ): Promise<RulesChanged> {
    return this.changed(response, () => this.keeper.withdraw(expectedRevision(ifMatch)));
  }

  private async changed(response: unknown, change: () => Promise<RulesChanged['changes']>): Promise<RulesChanged> {
    const changes = await change();
    return { ...(await this.told(response)), changes };
  }
}
