import { ApiProblems } from '@laurel/activity/http';
import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentUser, SignedIn } from '../identity/signed-in';
import { Followed } from './followed.responses';
import { FollowsService } from './follows.service';

/** Whom the signed-in user follows. */
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
