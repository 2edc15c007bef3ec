import { Delete, Get, Param, Put } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '../../core/peers/decorators';
import { ApiProblems } from '../../core/http/problem.responses';
import { Routes } from '../../core/http/mounting';
import { SelfOrApiKeyGuard } from '../../core/http/api-key';
import type { ExclusionState } from './exclusion';
import { Exclusions } from './exclusions';

/** Whether a user has opted out; nothing of what operators decided. */
export class OptOutAnswer {
  /** @example 42 */
  readonly userId: string;
  readonly optedOut: boolean;
}

/** A user's own wish not to be on the leaderboards. For this user and for the API key. */
@ApiTags('activity')
@ApiBearerAuth()
@ApiProblems(400, 401, 403, 410, 503)
@Routes('activity/users/:userId/opt-out', SelfOrApiKeyGuard)
export class OptOutController {
  constructor(private readonly exclusions: Exclusions) {}

  @Get()
  @ApiOperation({ summary: 'Whether a user has opted out of the leaderboards.' })
  @ApiOkResponse({ type: OptOutAnswer })
  async find(@Param('userId') userId: string): Promise<OptOutAnswer> {
    return answerOf(await this.exclusions.find(userId));
  }

  @Put()
  @ApiOperation({
    summary: 'Opts a user out of every leaderboard, at once.',
    description: 'Exclusions by operators are independent: neither ends the other. Safe to repeat.',
  })
  @ApiOkResponse({ type: OptOutAnswer })
  async optOut(@Param('userId') userId: string): Promise<OptOutAnswer> {
    return answerOf(await this.exclusions.optOut(userId));
  }

  @Delete()
  @ApiOperation({
    summary: 'Shows a user again who has opted out, unless somebody else excludes them.',
    description: 'Safe to repeat.',
  })
  @ApiOkResponse({ type: OptOutAnswer })
  async optIn(@Param('userId') userId: string): Promise<OptOutAnswer> {
    return answerOf(await this.exclusions.optIn(userId));
  }
}

function answerOf({ userId, exclusions }: ExclusionState): OptOutAnswer {
  return { userId, optedOut: exclusions.some(({ source }) => source === 'user') };
}
