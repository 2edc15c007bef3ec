import { ApiProblems } from '@laurel/activity/http';
import { Controller, Delete, Get, Param, Put } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { CurrentUser, SignedIn } from '../identity/signed-in';
import { IdPipe } from '../input/id.pipe';
import { TellsOutcome } from '../outcomes/outcome.interceptor';
import { Followed } from './followed.responses';
import { FollowsService } from './follows.service';

/** Following users. Each route may be repeated: only the first time does anything. */
@ApiTags('follows')
@ApiParam({ name: 'id', example: '42' })
@ApiProblems(400, 404, 503)
@SignedIn()
@Controller('users/:id/follow')
export class FollowsController {
  constructor(private readonly follows: FollowsService) {}

  @Put()
  @TellsOutcome('follow', { hasBody: false })
  @ApiOperation({ summary: 'Follows a user.' })
  follow(@Param('id', IdPipe) followedId: string, @CurrentUser() followerId: string): Promise<void> {
    return this.follows.follow({ followerId, followedId });
  }

  @Delete()
  @TellsOutcome('follow', { hasBody: false })
  @ApiOperation({ summary: 'No longer follows the user.' })
  unfollow(@Param('id', IdPipe) followedId: string, @CurrentUser() followerId: string): Promise<void> {
    return this.follows.unfollow({ followerId, followedId });
  }
}

/** The users that the signed-in user follows. */
@ApiTags('follows')
@ApiProblems(503)
@SignedIn()
@Controller('follows')
export class FollowedController {
  constructor(private readonly follows: FollowsService) {}

  @Get()
  @ApiOperation({ summary: 'Whom the signed-in user follows: the latest 1,000.' })
  @ApiOkResponse({ type: Followed })
  async followed(@CurrentUser() followerId: string): Promise<Followed> {
    return { userIds: await this.follows.followedBy(followerId) };
  }
}
