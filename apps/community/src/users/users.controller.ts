import { ApiProblems, ProblemValidationPipe } from '@laurel/activity/http';
import { Controller, Get, Param, Query, UsePipes } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { CurrentUser } from '../identity/signed-in';
import { IdPipe } from '../input/id.pipe';
import { ScoresVisit } from '../outcomes/tells-outcome';
import { FoundUsers, UserPage, UserPageWithOutcome } from './user.responses';
import { UserSearch } from './user.dto';
import { UsersService } from './users.service';
import { subjectOfUser } from '../subjects/user-subject';

/** Users' pages. */
@ApiTags('users')
@ApiProblems(503)
@Controller('users')
export class UsersController {
  constructor(private readonly users: UsersService) {}

  @Get()
  @UsePipes(ProblemValidationPipe)
  @ApiOperation({ summary: 'Users with this in their names, with their places on a leaderboard where one is named.' })
  @ApiOkResponse({ type: FoundUsers })
  @ApiProblems(400, 404)
  search(@Query() query: UserSearch): Promise<FoundUsers> {
    return this.users.search(query);
  }

  @Get(':id')
  @ScoresVisit({ subject: ({ id }: UserPage) => subjectOfUser(id) })
  @ApiBearerAuth()
  @ApiOperation({ summary: "A user's page. A signed-in reader earns a view, once a day; on one's own page, nothing." })
  @ApiParam({ name: 'id', example: '42' })
  @ApiOkResponse({ type: UserPageWithOutcome })
  @ApiProblems(404)
  page(@Param('id', IdPipe) id: string, @CurrentUser() readerId: string | null): Promise<UserPage> {
    return this.users.page(id, readerId);
  }
}
