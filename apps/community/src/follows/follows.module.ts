import { Module } from '@nestjs/common';
import { OutboxModule } from '../outbox/outbox.module';
import { FollowsController } from './follows.controller';
import { FollowsService } from './follows.service';

/** Following other users. */
@Module({ imports: [OutboxModule], controllers: [FollowsController], providers: [FollowsService] })
export class FollowsModule {}
