import { Module } from '@nestjs/common';
import { ArticleReader } from './article.reader';
import { ArticleWriter } from './article.writer';
import { ArticlesController } from './articles.controller';

/** Articles. */
@Module({
  controllers: [ArticlesController],
  providers: [ArticleReader, ArticleWriter],
  exports: [ArticleReader],
})
export class ArticlesModule {}
