import { Module } from '@nestjs/common';
import { OutboxModule } from '../outbox/outbox.module';
import { ArticleReader } from './article.reader';
import { ArticleWriter } from './article.writer';
import { ArticlesController } from './articles.controller';

/** Articles. */
@Module({
  imports: [OutboxModule],
  controllers: [ArticlesController],
  providers: [ArticleReader, ArticleWriter],
  exports: [ArticleReader],
})
export class ArticlesModule {}
