import { ApiProblems, ProblemValidationPipe } from '@laurel/activity/http';
import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  Post,
  Put,
  Query,
  UnauthorizedException,
  UsePipes,
} from '@nestjs/common';
import { ApiBearerAuth, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { CommentList } from '../comments/comment.responses';
import { CurrentUser, SignedIn } from '../identity/signed-in';
import { IdPipe } from '../input/id.pipe';
import { PageQuery, rangeOf } from '../input/page-query';
import { ArticleDraft, ArticleQuery, ArticleText } from './article.dto';
import { ScoresVisit, TellsOutcome } from '../outcomes/outcome.interceptor';
import { ArticleList, ArticlePage, ArticleWithOutcome } from './article.responses';
import { ArticlesService } from './articles.service';
import { partitionsOf } from '../categories/categories';
import { subjectOfArticle } from '../subjects/subjects';

/** Articles: drafts, what is online, and an article's page. */
@ApiTags('articles')
@ApiProblems(503)
@Controller('articles')
@UsePipes(ProblemValidationPipe)
export class ArticlesController {
  constructor(private readonly articles: ArticlesService) {}

  @Get()
  @ApiBearerAuth()
  @ApiOperation({ summary: 'Articles that are online, the newest first; or your own drafts.' })
  @ApiOkResponse({ type: ArticleList })
  @ApiProblems(400, 401)
  async list(@Query() query: ArticleQuery, @CurrentUser() userId: string | null): Promise<ArticleList> {
    const range = { ...rangeOf(query), category: query.category };
    if (query.state !== 'draft') return this.articles.published(range);
    if (userId === null) throw new UnauthorizedException('Drafts are for their author: sign in first.');
    return this.articles.drafts(userId, range);
  }

  @Post()
  @SignedIn()
  @ApiOperation({ summary: 'Writes a draft.' })
  @ApiCreatedResponse({ type: ArticlePage })
  @ApiProblems(400)
  async draft(@Body() body: ArticleDraft, @CurrentUser() userId: string): Promise<ArticlePage> {
    return this.articles.page(await this.articles.draft(userId, body), userId);
  }

  @Get(':id')
  @ScoresVisit({
    subject: ({ id }: ArticlePage) => subjectOfArticle(id),
    ownerId: ({ author }) => author.id,
    partitions: (page) => partitionsOf(page),
  })
  @ApiBearerAuth()
  @ApiOperation({ summary: 'An article. A signed-in reader earns a view, once a day; its author earns nothing.' })
  @ApiParam({ name: 'id', example: '7' })
  @ApiOkResponse({ type: ArticleWithOutcome })
  @ApiProblems(404)
  page(@Param('id', IdPipe) id: string, @CurrentUser() userId: string | null): Promise<ArticlePage> {
    return this.articles.page(id, userId);
  }

  @Get(':id/comments')
  @ApiBearerAuth()
  @ApiOperation({ summary: 'What was said to an article, the newest first.' })
  @ApiParam({ name: 'id', example: '7' })
  @ApiOkResponse({ type: CommentList })
  @ApiProblems(400, 404)
  comments(
    @Param('id', IdPipe) id: string,
    @Query() query: PageQuery,
    @CurrentUser() userId: string | null,
  ): Promise<CommentList> {
    return this.articles.comments(id, userId, rangeOf(query));
  }

  @Put(':id')
  @SignedIn()
  @ApiOperation({ summary: 'Rewrites your draft.' })
  @ApiParam({ name: 'id', example: '7' })
  @ApiOkResponse({ type: ArticlePage })
  @ApiProblems(400, 403, 404, 409)
  async rewrite(
    @Param('id', IdPipe) id: string,
    @Body() body: ArticleText,
    @CurrentUser() userId: string,
  ): Promise<ArticlePage> {
    await this.articles.rewrite(id, userId, body);
    return this.articles.page(id, userId);
  }

  @Post(':id/publish')
  @HttpCode(200)
  @SignedIn()
  @TellsOutcome('publish', { hasBody: true })
  @ApiOperation({
    summary: 'Puts your draft online, or hands it in where articles are reviewed. Again, it does nothing.',
  })
  @ApiParam({ name: 'id', example: '7' })
  @ApiOkResponse({ type: ArticleWithOutcome })
  @ApiProblems(403, 404)
  async publish(@Param('id', IdPipe) id: string, @CurrentUser() userId: string): Promise<ArticlePage> {
    await this.articles.publish(id, userId);
    return this.articles.page(id, userId);
  }

  @Delete(':id/publish')
  @SignedIn()
  @TellsOutcome('publish', { hasBody: true })
  @ApiOperation({
    summary: 'Takes your article offline or out of review: it is a draft again, and its points go.',
  })
  @ApiParam({ name: 'id', example: '7' })
  @ApiOkResponse({ type: ArticleWithOutcome })
  @ApiProblems(403, 404)
  async withdraw(@Param('id', IdPipe) id: string, @CurrentUser() userId: string): Promise<ArticlePage> {
    await this.articles.withdraw(id, userId);
    return this.articles.page(id, userId);
  }
}
