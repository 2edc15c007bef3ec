import { Period } from '@laurel/leaderboard';
import { Get, Inject, Param, Query, Req, StreamableFile, UseGuards } from '@nestjs/common';
import { Readable } from 'node:stream';
import { ApiBearerAuth, ApiTags } from '../core/peers/decorators';
import { ApiKey, ApiKeyGuard } from '../core/http/api-key';
import { Answers, ApiProblems } from '../core/http/problem.responses';
import { ProblemValidationPipe, QueryPipe } from '../core/http/validation';
import type { HttpRequest } from '../core/http/request';
import { Routes } from '../core/http/mounting';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../core/options/settings';
import { ActivityService } from '../core/recording/activity.service';
import { SelfOrApiKeyGuard } from '../shared/self-or-api-key.guard';
import { ActionCounts } from './action-counts';
import { HistoryQuery, LatestQuery, LedgerQuery, QuotaQuery } from './account.dto';
import { HistoryAnswer, LedgerPage, QuotaAnswer, RefusalsAnswer, UserDataAnswer } from './account.responses';
import { LedgerService } from './ledger.service';
import { LimitQuotas } from './limit-quotas';
import { RefusalTrace } from './refusal-trace';
import { UserData } from './user-data';

/** Routes of a user's history, ledger, quotas and refused activities. */
@ApiTags('activity')
@ApiBearerAuth()
@ApiProblems(400, 401, 403, 503)
@Routes('activity')
export class AccountController {
  constructor(
    private readonly activities: ActivityService,
    private readonly counts: ActionCounts,
    private readonly quotas: LimitQuotas,
    private readonly ledgers: LedgerService,
    private readonly refused: RefusalTrace,
    private readonly userData: UserData,
    private readonly apiKey: ApiKey,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
  ) {}

  @Get('users/:userId')
  @UseGuards(SelfOrApiKeyGuard)
  @Answers(HistoryAnswer, 'What a user was granted, day by day. For this user and for the API key.')
  async history(@Param('userId') userId: string, @Query(QueryPipe) query: HistoryQuery): Promise<HistoryAnswer> {
    const { counts: withCounts = false, ...range } = query;
    const [history, counts] = await Promise.all([
      this.activities.history(userId, range),
      withCounts ? this.counts.of(userId) : undefined,
    ]);
    return counts ? { ...history, counts } : history;
  }

  @Get('users/:userId/data')
  @UseGuards(SelfOrApiKeyGuard)
  @Answers(UserDataAnswer, 'All stored data about a user, as one JSON document. For this user and for the API key.', {
    description:
      'Streamed. Modules add lists: `exclusions`, of source `user` an opting out; `reviews`; `settled`, places and titles as ' +
      'archived, with everyone on them; `rewards`; `operations`; `deadLetters`. Only the API key sees which operator did it, and why.',
  })
  async data(@Param('userId') userId: string, @Req() request: HttpRequest): Promise<StreamableFile> {
    const pieces = this.userData.json(userId, !this.apiKey.may(request, 'read'));
    // An error before the first byte is answered as a problem.
    const { value: first } = await pieces.next();
    const all = async function* (): AsyncGenerator<string, void> {
      yield first ?? '';
      yield* pieces;
    };
    const disposition = 'attachment; filename="user-data.json"';
    return new StreamableFile(Readable.from(all()), { type: 'application/json; charset=utf-8', disposition });
  }

  @Get('users/:userId/quota')
  @UseGuards(SelfOrApiKeyGuard)
  @Answers(QuotaAnswer, 'What each limit leaves a user now. For this user and for the API key.')
  async quota(
    @Param('userId') userId: string,
    @Query(new ProblemValidationPipe()) query: QuotaQuery,
  ): Promise<QuotaAnswer> {
    const { timezone, clock } = this.settings;
    const now = new Date(clock.now());
    const limits = await this.quotas.of(userId, query, now);
    return { userId, date: Period.of('day', now, timezone).key, limits };
  }

  @Get('users/:userId/ledger')
  @UseGuards(SelfOrApiKeyGuard)
  @Answers(LedgerPage, 'Why a user has the points of a day, line by line. For this user and for the API key.', {
    description: 'A day whose ledger is no longer kept is answered 410.',
  })
  @ApiProblems(410)
  ledger(@Param('userId') userId: string, @Query(QueryPipe) query: LedgerQuery): Promise<LedgerPage> {
    return this.ledgers.page(userId, query);
  }

  @Get('refusals')
  @UseGuards(ApiKeyGuard)
  @Answers(RefusalsAnswer, 'The latest refused activities, of all instances.', {
    description: 'At most the last 1,000; each instance adds up to 200 a second. The metrics count all of them.',
  })
  async refusals(@Query(QueryPipe) { limit = 100 }: LatestQuery): Promise<RefusalsAnswer> {
    return { refusals: await this.refused.recent(limit) };
  }
}
