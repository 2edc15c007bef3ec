import { Body, Controller, Get, HttpCode, Param, Post, Query, UseFilters, UseGuards, UsePipes } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiKeyGuard } from '../../http/api-key.guard';
import { ProblemFilter } from '../../http/problem.filter';
import { ApiProblems } from '../../http/problem.responses';
import { ProblemValidationPipe } from '../../http/problem-validation.pipe';
import { DecisionBody, HoldBody, ReviewAnswer, ReviewList, ReviewsQuery } from './review.dto';
import { Reviews } from './reviews';

/** The review queue. For services and operators with the API key. */
@ApiTags('administration')
@ApiBearerAuth()
@ApiProblems(400, 401, 403, 410, 503)
@Controller('activity/reviews')
@UseFilters(ProblemFilter)
@UseGuards(ApiKeyGuard)
@UsePipes(ProblemValidationPipe)
export class ReviewsController {
  constructor(private readonly reviews: Reviews) {}

  @Get()
  @ApiOperation({ summary: 'Reviews: those held in the order in which they came, decided ones the latest first.' })
  @ApiOkResponse({ type: ReviewList })
  async list(@Query() query: ReviewsQuery): Promise<ReviewList> {
    return { reviews: await this.reviews.list(query) };
  }

  @Get(':id')
  @ApiOperation({ summary: 'One review.' })
  @ApiOkResponse({ type: ReviewAnswer })
  @ApiProblems(404)
  find(@Param('id') id: string): Promise<ReviewAnswer> {
    return this.reviews.find(id);
  }

  @Post()
  @HttpCode(200)
  @ApiOperation({
    summary: "Holds a user's points back: they are kept, and show on no leaderboard.",
    description: 'Of one who is held already the review under way is given, as it is.',
  })
  @ApiOkResponse({ type: ReviewAnswer })
  @ApiProblems(415)
  hold(@Body() body: HoldBody): Promise<ReviewAnswer> {
    return this.reviews.hold(body);
  }

  @Post(':id/release')
  @HttpCode(200)
  @ApiOperation({ summary: 'Gives the points back, at once. Safe to repeat.' })
  @ApiOkResponse({ type: ReviewAnswer })
  @ApiProblems(404, 409, 415)
  release(@Param('id') id: string, @Body() body?: DecisionBody): Promise<ReviewAnswer> {
    return this.reviews.release(id, body ?? {});
  }

  @Post(':id/void')
  @HttpCode(200)
  @ApiOperation({ summary: 'Takes the points in question for good, and gives back the others. Safe to repeat.' })
  @ApiOkResponse({ type: ReviewAnswer })
  @ApiProblems(404, 409, 415)
  void(@Param('id') id: string, @Body() body?: DecisionBody): Promise<ReviewAnswer> {
    return this.reviews.void(id, body ?? {});
  }
}
