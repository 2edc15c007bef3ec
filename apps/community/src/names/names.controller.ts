import { ApiProblems, ProblemValidationPipe } from '@laurel/activity/http';
import { Body, Controller, HttpCode, Post, UsePipes } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { NamesWanted } from './names.dto';
import { Names } from './names.responses';
import { NamesService } from './names.service';

/** The names of activities' subjects. */
@ApiTags('names')
@ApiProblems(400, 503)
@Controller('names')
export class NamesController {
  constructor(private readonly names: NamesService) {}

  @Post()
  @HttpCode(200)
  @UsePipes(ProblemValidationPipe)
  @ApiOperation({ summary: 'The titles of articles and the names of users, by subject.' })
  @ApiOkResponse({ type: Names })
  @ApiProblems(415)
  async find(@Body() { subjects }: NamesWanted): Promise<Names> {
    return { names: await this.names.find(subjects) };
  }
}
