import { Module } from '@nestjs/common';
import { OutboxModule } from '../outbox/outbox.module';
import { CommentsController } from './comments.controller';
import { CommentsService } from './comments.service';

/** Comments. */
@Module({
  imports: [OutboxModule],
  controllers: [CommentsController],
  providers: [CommentsService],
  exports: [CommentsService],
})
export class CommentsModule {}
