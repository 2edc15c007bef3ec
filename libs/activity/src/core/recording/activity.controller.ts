import { Body, Post, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiBody, ApiTags } from '../peers/decorators';
import { ApiKeyGuard, Needs } from '../http/api-key';
import { ActivityService } from './activity.service';
import { Answers, ApiProblems } from '../http/problem.responses';
import { Routes } from '../http/mounting';
import { ActivityResults } from '../activity/outcome';
import { changesOf, eventsBodySchema } from './events-body';

/**
 * Recording from other services. A thousand events may be larger than the platforms' default limits, 100 kB on Express
 * and 1 MB on Fastify: raise the limit of bodies to 4 MB to accept full requests.
 */
@ApiTags('activity')
@ApiBearerAuth()
@ApiProblems(400, 401, 403, 503)
@Routes('activity')
export class ActivityController {
  constructor(private readonly activities: ActivityService) {}

  /** Checks the body by hand: with ajv it took half as long again. */
  @Post('events')
  @UseGuards(ApiKeyGuard)
  @Needs('record')
  @Answers(ActivityResults, 'Records 1 to 1,000 events: all of them, or none if one is malformed.', {
    description: 'For services with the API key. Answers when the points are in Redis. Safe to repeat.',
  })
  @ApiBody({ schema: eventsBodySchema as object })
  @ApiProblems(413, 415)
  async record(@Body() body: unknown): Promise<ActivityResults> {
    return { results: await this.activities.apply(changesOf(body), 'events.') };
  }
}
