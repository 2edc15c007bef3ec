import { ApiProblems } from '@laurel/activity/http';
import { Controller, Delete, Param, Put } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { CurrentUser, SignedIn } from '../identity/signed-in';
import { IdPipe } from '../input/id.pipe';
import { TellsOutcome } from '../outcomes/outcome.interceptor';
import { ReactionsService } from './reactions.service';

/** Praising and collecting articles. Each route may be repeated: only the first time does anything. */
@ApiTags('reactions')
@ApiParam({ name: 'id', example: '7' })
@ApiProblems(404, 503)
@SignedIn()
@Controller('articles/:id')
export class ReactionsController {
  constructor(private readonly reactions: ReactionsService) {}

  @Put('praise')
  @TellsOutcome('praise', { hasBody: false })
  @ApiOperation({ summary: 'Praises an article.' })
  praise(@Param('id', IdPipe) articleId: string, @CurrentUser() userId: string): Promise<void> {
    return this.reactions.add({ kind: 'praise', articleId, userId });
  }

  @Delete('praise')
  @TellsOutcome('praise', { hasBody: false })
  @ApiOperation({ summary: 'Takes the praise back.' })
  unpraise(@Param('id', IdPipe) articleId: string, @CurrentUser() userId: string): Promise<void> {
    return this.reactions.remove({ kind: 'praise', articleId, userId });
  }

  @Put('collect')
  @TellsOutcome('collect', { hasBody: false })
  @ApiOperation({ summary: 'Puts an article into your collection.' })
  collect(@Param('id', IdPipe) articleId: string, @CurrentUser() userId: string): Promise<void> {
    return this.reactions.add({ kind: 'collect', articleId, userId });
  }

  @Delete('collect')
  @TellsOutcome('collect', { hasBody: false })
  @ApiOperation({ summary: 'Takes it out of your collection.' })
  uncollect(@Param('id', IdPipe) articleId: string, @CurrentUser() userId: string): Promise<void> {
    return this.reactions.remove({ kind: 'collect', articleId, userId });
  }
}
