import { ApiProblems, ProblemValidationPipe } from '@laurel/activity/http';
import { Body, Controller, Delete, Param, Post, UsePipes } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { CurrentUser, SignedIn } from '../identity/signed-in';
import { IdPipe } from '../input/id.pipe';
import { CommentDraft } from './comment.dto';
import { TellsOutcome } from '../outcomes/outcome.interceptor';
import { CommentView, MadeComment } from './comment.responses';
import { CommentsService } from './comments.service';

/** Comments on articles. */
@ApiTags('comments')
@ApiProblems(404, 503)
@SignedIn()
@Controller()
@UsePipes(ProblemValidationPipe)
export class CommentsController {
  constructor(private readonly comments: CommentsService) {}

  @Post('articles/:id/comments')
  @TellsOutcome('comment', { hasBody: true })
  @ApiOperation({ summary: 'Comments on an article.' })
  @ApiParam({ name: 'id', example: '7' })
  @ApiCreatedResponse({ type: MadeComment })
  @ApiProblems(400)
  create(
    @Param('id', IdPipe) articleId: string,
    @Body() { body }: CommentDraft,
    @CurrentUser() authorId: string,
  ): Promise<CommentView> {
    return this.comments.create({ articleId, authorId, body });
  }

  @Delete('comments/:id')
  @TellsOutcome('comment', { hasBody: false })
  @ApiOperation({ summary: 'Deletes your comment.' })
  @ApiParam({ name: 'id', example: '31' })
  @ApiProblems(403)
  delete(@Param('id', IdPipe) commentId: string, @CurrentUser() userId: string): Promise<void> {
    return this.comments.delete(commentId, userId);
  }
}
