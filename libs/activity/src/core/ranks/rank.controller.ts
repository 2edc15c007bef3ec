import { Body, Get, Header, Inject, Param, Post, Query, Req, Res } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ApiTags } from '../peers/decorators';
import { ApiKey } from '../http/api-key';
import { ApiTagged, tagged } from '../http/tagged-answers';
import type { HttpRequest } from '../http/request';
import { Answers, ApiProblems } from '../http/problem.responses';
import { ProblemValidationPipe, QueryPipe } from '../http/validation';
import { Routes } from '../http/mounting';
import { OfLeaderboard, VisibleBoards } from '../http/visible-boards';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../options/settings';
import {
  AmongQuery,
  AroundQuery,
  LookupBody,
  PartitionsQuery,
  RankQuery,
  StandingsQuery,
  UserRanksQuery,
} from './rank.dto';
import { RankLeaderboards, RankLookup, RankPage, RankPartitions, RankStanding, UserStandings } from './rank.responses';
import { type Own, RankService } from './rank.service';

/** Public reads of the leaderboards. On Fastify, long user ids in paths need `problemFastifyOptions`. */
@ApiTags('ranks')
@ApiProblems(503)
@Routes('ranks')
export class RankController {
  constructor(
    private readonly ranks: RankService,
    private readonly apiKey: ApiKey,
    private readonly visible: VisibleBoards,
    private readonly adapterHost: HttpAdapterHost,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
  ) {}

  /** Answers the leaderboards. */
  @Get()
  @Answers(RankLeaderboards, 'The leaderboards: what counts on each, and its current period.')
  @Header('Cache-Control', 'private, no-cache')
  async list(@Req() request: HttpRequest): Promise<RankLeaderboards> {
    const [all, seen] = await Promise.all([this.ranks.list(), this.visible.namesFor(request)]);
    return { leaderboards: all.filter(({ name }) => seen.has(name)) };
  }

  /** Answers where a user stands on every leaderboard. */
  @Get('users/:userId')
  @ApiTagged(UserStandings, "One user's standing in the current period of each leaderboard without partitions.")
  @ApiProblems(400)
  async everywhere(
    @Param('userId') userId: string,
    @Query(QueryPipe) query: UserRanksQuery,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: unknown,
  ): Promise<string | undefined> {
    const tellsExcluded = this.apiKey.isSelfOrKey(request, userId);
    const only = await this.visible.namesFor(request);
    const answer = await this.ranks.everywhere(userId, { ...query, tellsExcluded, only });
    return tagged(this.adapterHost, { request, response }, answer, 'private');
  }

  /** Answers a page of standings. */
  @Get(':leaderboard')
  @ApiTagged(RankPage, 'A page of standings.')
  @OfLeaderboard()
  async standings(
    @Param('leaderboard') leaderboard: string,
    @Query(QueryPipe) query: StandingsQuery,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: unknown,
  ): Promise<string | undefined> {
    const answer = await this.ranks.standings(leaderboard, this.owned(query, request));
    return tagged(this.adapterHost, { request, response }, answer, query.me ? 'private' : 'public');
  }

  /** Answers the partitions that have entries. */
  @Get(':leaderboard/partitions')
  @ApiTagged(RankPartitions, 'The partitions of a leaderboard that have entries, by name.')
  @OfLeaderboard('category')
  async partitions(
    @Param('leaderboard') leaderboard: string,
    @Query(QueryPipe) query: PartitionsQuery,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: unknown,
  ): Promise<string | undefined> {
    const answer = await this.ranks.partitions(leaderboard, query);
    return tagged(this.adapterHost, { request, response }, answer);
  }

  /** Answers a user's own standing. */
  @Get(':leaderboard/users/:userId')
  @ApiTagged(
    RankStanding,
    "One user's entry, title and percentile, the user with the next better rank, and the points of the top ten.",
  )
  @OfLeaderboard()
  async standing(
    @Param('leaderboard') leaderboard: string,
    @Param('userId') userId: string,
    @Query(QueryPipe) query: RankQuery,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: unknown,
  ): Promise<string | undefined> {
    const tellsExcluded = this.apiKey.isSelfOrKey(request, userId);
    const answer = await this.ranks.standing(leaderboard, userId, { ...query, tellsExcluded });
    return tagged(this.adapterHost, { request, response }, answer, 'private');
  }

  /** Answers the entries around a user. */
  @Get(':leaderboard/users/:userId/around')
  @ApiTagged(RankPage, 'The user in the middle of their neighbours.')
  @OfLeaderboard()
  async around(
    @Param('leaderboard') leaderboard: string,
    @Param('userId') userId: string,
    @Query(QueryPipe) query: AroundQuery,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: unknown,
  ): Promise<string | undefined> {
    const answer = await this.ranks.around(leaderboard, userId, this.owned(query, request));
    return tagged(this.adapterHost, { request, response }, answer, query.me ? 'private' : 'public');
  }

  /** Answers the entries of some users, in the order asked or in rank order. */
  @Post(':leaderboard/lookup')
  @Answers(
    RankLookup,
    "The entries of up to 200 users, in the order asked or ranked among one another: a friends' board.",
  )
  @OfLeaderboard()
  @ApiProblems(413, 415)
  lookup(
    @Param('leaderboard') leaderboard: string,
    @Query(QueryPipe) query: AmongQuery,
    @Body(ProblemValidationPipe) { userIds }: LookupBody,
  ): Promise<RankLookup> {
    return this.ranks.lookup(leaderboard, userIds, query);
  }

  /** A query with the user who asks, where their own line is wanted. */
  private owned<Query extends { readonly me?: boolean }>({ me, ...query }: Query, request: HttpRequest): Own<Query> {
    return me ? { ...query, me: this.settings.currentUser(request) } : query;
  }
}
