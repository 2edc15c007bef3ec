import { ApiProblems, ProblemValidationPipe, VisibleBoards } from '@laurel/activity/http';
import {
  Body,
  Controller,
  Delete,
  Get,
  Header,
  HttpCode,
  NotFoundException,
  Param,
  Put,
  Query,
  UseGuards,
  UsePipes,
} from '@nestjs/common';
import { ApiBearerAuth, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { CurrentUser, SignedIn } from '../identity/signed-in';
import { IdPipe, isId } from '../input/id.pipe';
import { ScoresVisit } from '../outcomes/outcome.interceptor';
import { avatarOf } from '../profiles/avatar';
import { FoundUsers, UserPage, UserPageWithOutcome } from './user.responses';
import { ProfileText, UserSearch } from './user.dto';
import { UsersService } from './users.service';
import { subjectOfUser } from '../subjects/subjects';

/** Users' pages. */
@ApiTags('users')
@ApiProblems(503)
@Controller('users')
export class UsersController {
  constructor(private readonly users: UsersService) {}

  @Get()
  @UseGuards(VisibleBoards)
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

/** Users' texts about themselves. */
@ApiTags('users')
@ApiProblems(503)
@SignedIn()
@Controller('profile/text')
@UsePipes(ProblemValidationPipe)
export class ProfileController {
  constructor(private readonly users: UsersService) {}

  @Put()
  @HttpCode(204)
  @ApiOperation({ summary: 'Says something of yourself, in a line: shown with your name on leaderboards.' })
  @ApiNoContentResponse({ description: 'Done.' })
  @ApiProblems(400)
  describe(@Body() { text }: ProfileText, @CurrentUser() userId: string): Promise<void> {
    return this.users.describe(userId, text);
  }

  @Delete()
  @HttpCode(204)
  @ApiOperation({ summary: 'Takes that back.' })
  @ApiNoContentResponse({ description: 'Done.' })
  clear(@CurrentUser() userId: string): Promise<void> {
    return this.users.describe(userId, null);
  }
}

/** Users' pictures. */
@ApiTags('users')
@Controller('avatars')
export class AvatarsController {
  @Get(':file')
  @Header('Content-Type', 'image/svg+xml; charset=utf-8')
  @Header('Cache-Control', 'public, max-age=604800, immutable')
  @Header('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'")
  @ApiOperation({ summary: "A user's picture, drawn from their id." })
  @ApiParam({ name: 'file', example: '42.svg' })
  @ApiOkResponse({ content: { 'image/svg+xml': { schema: { type: 'string' } } } })
  @ApiProblems(404)
  avatar(@Param('file') file: string): string {
    const [, id] = /^(\d+)\.svg$/.exec(file) ?? [];
    if (!isId(id)) throw new NotFoundException('There is no such picture.');
    return avatarOf(id);
  }
}
