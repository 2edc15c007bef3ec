import { Module } from '@nestjs/common';
import { FollowsController } from './follows.controller';
import { FollowsService } from './follows.service';

/** Who follows whom. */
@Module({ controllers: [FollowsController], providers: [FollowsService] })
export class FollowsModule {}
