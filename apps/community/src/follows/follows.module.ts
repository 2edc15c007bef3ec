import { Module } from '@nestjs/common';
import { OutboxModule } from '../outbox/outbox.module';
import { FollowsController } from './follows.controller';
import { FollowsService } from './follows.service';

/** Who follows whom. */
@Module({ imports: [OutboxModule], controllers: [FollowsController], providers: [FollowsService] })
export class FollowsModule {}
