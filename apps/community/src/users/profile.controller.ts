import { ApiProblems, ProblemValidationPipe } from '@laurel/activity/http';
import { Body, Controller, Delete, HttpCode, Put, UsePipes } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentUser, SignedIn } from '../identity/signed-in';
import { ProfileText } from './user.dto';
import { UsersService } from './users.service';

/** What users say of themselves. */
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
