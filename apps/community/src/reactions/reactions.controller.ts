import { ApiProblems } from '@laurel/activity';
import { Controller, Delete, HttpCode, Param, Put } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { CurrentUser, SignedIn } from '../auth/signed-in';
import { IdPipe } from '../http/id.pipe';
import { ReactionsService } from './reactions.service';

/** Praising and collecting articles. Each route may be repeated: only the first time does anything. */
@ApiTags('reactions')
@ApiParam({ name: 'id', example: '7' })
@ApiNoContentResponse()
@ApiProblems(404, 503)
@SignedIn()
@Controller('articles/:id')
export class ReactionsController {
  constructor(private readonly reactions: ReactionsService) {}

  @Put('praise')
  @HttpCode(204)
  @ApiOperation({ summary: 'Praises an article.' })
  praise(@Param('id', IdPipe) articleId: string, @CurrentUser() userId: string): Promise<void> {
    return this.reactions.add({ kind: 'praise', articleId, userId });
  }

  @Delete('praise')
  @HttpCode(204)
  @ApiOperation({ summary: 'Takes the praise back.' })
  unpraise(@Param('id', IdPipe) articleId: string, @CurrentUser() userId: string): Promise<void> {
    return this.reactions.remove({ kind: 'praise', articleId, userId });
  }

  @Put('collect')
  @HttpCode(204)
  @ApiOperation({ summary: 'Puts an article into your collection.' })
  collect(@Param('id', IdPipe) articleId: string, @CurrentUser() userId: string): Promise<void> {
    return this.reactions.add({ kind: 'collect', articleId, userId });
  }

  @Delete('collect')
  @HttpCode(204)
  @ApiOperation({ summary: 'Takes it out of your collection.' })
  uncollect(@Param('id', IdPipe) articleId: string, @CurrentUser() userId: string): Promise<void> {
    return this.reactions.remove({ kind: 'collect', articleId, userId });
  }
}
