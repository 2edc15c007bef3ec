import { Module } from '@nestjs/common';
import { CommentsModule } from '../comments/comments.module';
import { OutboxModule } from '../outbox/outbox.module';
import { ArticlesController } from './articles.controller';
import { ArticlesService } from './articles.service';

/** Articles. */
@Module({
  imports: [CommentsModule, OutboxModule],
  controllers: [ArticlesController],
  providers: [ArticlesService],
  exports: [ArticlesService],
})
export class ArticlesModule {}
