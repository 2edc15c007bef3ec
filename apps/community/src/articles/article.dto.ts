import { OneOf } from '@laurel/activity/http';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { PageQuery } from '../input/page-query';
import { VisibleText } from '../input/visible-text';
import { categories, type Category, defaultCategory } from '../categories/categories';

/** The content of an article. */
export class ArticleText {
  @VisibleText({ max: 200, example: 'On sorted sets' })
  readonly title: string;

  @VisibleText({ max: 50_000, isMultiline: true, example: 'A sorted set is …' })
  readonly body: string;
}

/** A new article. */
export class ArticleDraft extends ArticleText {
  @ApiPropertyOptional({ enum: categories, default: defaultCategory, description: 'What it is about, for good.' })
  @IsIn(categories)
  readonly category: Category = defaultCategory;
}

/** Which articles a list has: those that are online, or one's own drafts. */
export const listStates = ['published', 'draft'] as const;

/** A page of a list. */
export class ArticleQuery extends PageQuery {
  @OneOf(listStates, { description: '`draft`: your own. Default: `published`.' })
  readonly state?: (typeof listStates)[number];

  @OneOf(categories, { description: 'Those of one category alone.' })
  readonly category?: Category;
}

/** Why an article is refused. */
export class Refusal {
  @VisibleText({ max: 1_000, isMultiline: true, description: 'Its author reads it.', example: 'Name your sources.' })
  readonly reason: string;
}
