import { Module } from '@nestjs/common';
import { OutboxModule } from '../outbox/outbox.module';
import { FollowedController, FollowsController } from './follows.controller';
import { FollowsService } from './follows.service';

/** Following other users. */
@Module({ imports: [OutboxModule], controllers: [FollowedController, FollowsController], providers: [FollowsService] })
export class FollowsModule {}
