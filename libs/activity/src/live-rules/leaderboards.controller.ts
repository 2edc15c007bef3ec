import { Body, Delete, Get, Param, Post } from '@nestjs/common';
import { ApiBody } from '../core/peers/decorators';
import { OperatorRoutes } from '../shared/operator-routes';
import { Answers, ApiProblems } from '../core/http/problem.responses';
import { ProblemValidationPipe } from '../core/http/validation';
import { leaderboardBody, LiveLeaderboardsAnswer } from './leaderboards.responses';
import { LiveLeaderboards } from './live-leaderboards';

/** Leaderboards that begin, change and end while the app runs, for operators. */
@OperatorRoutes('activity/leaderboards', 'activity')
export class LeaderboardsController {
  constructor(private readonly live: LiveLeaderboards) {}

  @Get()
  @Answers(LiveLeaderboardsAnswer, 'The leaderboards that began while the app runs, and what they were filled with.')
  async list(): Promise<LiveLeaderboardsAnswer> {
    return { leaderboards: await this.live.list() };
  }

  @Post()
  @Answers(
    LiveLeaderboardsAnswer,
    'Begins a leaderboard or a contest, or changes one, on every instance within three seconds.',
    {
      description:
        'As one of the options, without `points`, `timezone` and `weeksFrom`; `partition` and `where` have keys that a ' +
        'leaderboard has already. Its open periods are filled from the ledgers, while recording goes on. Safe to repeat.',
    },
  )
  @ApiBody({ schema: leaderboardBody })
  @ApiProblems(413, 415)
  async begin(@Body(new ProblemValidationPipe()) body: unknown): Promise<LiveLeaderboardsAnswer> {
    await this.live.begin(body);
    return this.list();
  }

  @Delete(':name')
  @Answers(
    LiveLeaderboardsAnswer,
    'Ends a leaderboard: it takes no more points, and its period is settled as any other.',
    { description: 'One that was never written to is gone. Safe to repeat.' },
  )
  @ApiProblems(404)
  async end(@Param('name') name: string): Promise<LiveLeaderboardsAnswer> {
    await this.live.end(name);
    return this.list();
  }
}
