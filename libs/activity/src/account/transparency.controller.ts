import { Period } from '@laurel/leaderboard';
import { Controller, Get, Inject, Param, Query, UseFilters, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { ApiKeyGuard } from '../http/api-key.guard';
import { SelfOrApiKeyGuard } from '../http/self-or-api-key.guard';
import { LimitQuotas } from './limit-quotas';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../options/settings';
import { ProblemFilter } from '../http/problem.filter';
import { ApiProblems } from '../http/problem.responses';
import { ProblemValidationPipe } from '../http/problem-validation.pipe';
import { QueryPipe } from '../http/query.pipe';
import { LedgerPages } from './ledger-page';
import { RefusalTrace } from './refusal-trace';
import { LedgerQuery, QuotaQuery, RefusalsQuery } from './transparency.dto';
import { AccountPageAnswer, QuotaAnswer, RefusalsAnswer } from './transparency.responses';

/** Why a user has the points he has, what is left to him, and what was refused. */
@ApiTags('activity')
@ApiBearerAuth()
@ApiProblems(400, 401, 403, 503)
@Controller('activity')
@UseFilters(ProblemFilter)
export class TransparencyController {
  constructor(
    private readonly quotas: LimitQuotas,
    private readonly ledgers: LedgerPages,
    private readonly trace: RefusalTrace,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
  ) {}

  /** `GET /activity/users/:userId/quota` */
  @Get('users/:userId/quota')
  @UseGuards(SelfOrApiKeyGuard)
  @ApiOperation({ summary: 'What each limit leaves a user now. For this user and for the API key.' })
  @ApiParam({ name: 'userId', example: '42' })
  @ApiOkResponse({ type: QuotaAnswer })
  async quota(
    @Param('userId') userId: string,
    @Query(new ProblemValidationPipe()) about: QuotaQuery,
  ): Promise<QuotaAnswer> {
    const { timezone, clock } = this.settings;
    const now = new Date(clock.now());
    const limits = await this.quotas.of(userId, about, now);
    return {
      userId,
      date: Period.of('day', now, timezone).key,
      limits: limits.map(({ allowedAgainAt, ...limit }) => ({
        ...limit,
        allowedAgainAt: allowedAgainAt?.toISOString() ?? null,
      })),
    };
  }

  /** `GET /activity/users/:userId/ledger` */
  @Get('users/:userId/ledger')
  @UseGuards(SelfOrApiKeyGuard)
  @ApiOperation({
    summary: 'Why a user has the points of a day, line by line. For this user and for the API key.',
    description: 'A day whose ledger is no longer kept is answered 410.',
  })
  @ApiProblems(410)
  @ApiParam({ name: 'userId', example: '42' })
  @ApiOkResponse({ type: AccountPageAnswer })
  ledger(@Param('userId') userId: string, @Query(QueryPipe) query: LedgerQuery): Promise<AccountPageAnswer> {
    return this.ledgers.page(userId, query);
  }

  /** `GET /activity/refusals` */
  @Get('refusals')
  @UseGuards(ApiKeyGuard)
  @ApiOperation({
    summary: 'What was refused lately, by all instances.',
    description:
      'A trace of the last 1,000, to which each instance adds up to 200 a second; the counters count them all.',
  })
  @ApiOkResponse({ type: RefusalsAnswer })
  async refusals(@Query(QueryPipe) { limit = 100 }: RefusalsQuery): Promise<RefusalsAnswer> {
    return { refusals: await this.trace.recent(limit) };
  }
}
