import { Module } from '@nestjs/common';
import { CommentsModule } from '../comments/comments.module';
import { OutboxModule } from '../outbox/outbox.module';
import { ArticlesController } from './articles.controller';
import { ArticlesService } from './articles.service';
import { SubmissionsController } from './submissions.controller';
import { SubmissionsService } from './submissions.service';

/** Articles, and their review. */
@Module({
  imports: [CommentsModule, OutboxModule],
  controllers: [ArticlesController, SubmissionsController],
  providers: [ArticlesService, SubmissionsService],
  exports: [ArticlesService],
})
export class ArticlesModule {}
