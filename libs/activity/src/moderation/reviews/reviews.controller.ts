import { Body, Get, Inject, Param, Post, Query, UsePipes } from '@nestjs/common';
import { within } from '../../core/deadlines/deadline';
import { Answers, ApiProblems } from '../../core/http/problem.responses';
import { ProblemValidationPipe } from '../../core/http/validation';
import { OperatorRoutes } from '../../shared/operator-routes';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../../core/options/settings';
import { DecisionOptions, HoldOptions, Review, ReviewList, ReviewsQuery, VoidOptions } from './review';
import { Reviews } from './reviews';

/** The review queue. For services and operators with the API key. */
@OperatorRoutes('activity/reviews', 'administration')
@ApiProblems(410)
@UsePipes(ProblemValidationPipe)
export class ReviewsController {
  constructor(
    private readonly reviews: Reviews,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
  ) {}

  @Get()
  @Answers(ReviewList, 'Reviews in one state: held ones the oldest first, decided ones the latest first.')
  async list(@Query() query: ReviewsQuery): Promise<ReviewList> {
    return { reviews: await this.reviews.list(query) };
  }

  @Get(':id')
  @Answers(Review, 'One review.')
  @ApiProblems(404)
  find(@Param('id') id: string): Promise<Review> {
    return this.reviews.find(id);
  }

  @Post()
  @Answers(Review, "Holds a user's points back: they are counted, but not shown; or some of them wait.", {
    description:
      'With `action` or `activities` the user stays on the leaderboards without these points. For a user whose points are held already, the review under way is returned unchanged.',
  })
  @ApiProblems(415)
  hold(@Body() body: HoldOptions): Promise<Review> {
    return this.reviews.hold(body);
  }

  @Post(':id/release')
  @Answers(Review, 'Gives the points back, at once. Safe to repeat.')
  @ApiProblems(404, 409, 415)
  release(@Param('id') id: string, @Body() body?: DecisionOptions): Promise<Review> {
    return this.reviews.release(id, body ?? {});
  }

  @Post(':id/void')
  @Answers(Review, 'Takes the points in question for good, and gives back the others. Safe to repeat.', {
    description:
      'Takes from owners what these activities gave them, unless `keepsGifts` is true. The answer comes after five seconds (`recordTimeoutMs`) at the latest: `voided` then has what will be taken, and the user, or what waits, is off the leaderboards until it is.',
  })
  @ApiProblems(404, 409, 415)
  async void(@Param('id') id: string, @Body() body?: VoidOptions): Promise<Review> {
    return await within(this.settings.recordTimeoutMs, this.reviews.void(id, body ?? {}), () => this.reviews.find(id));
  }
}
