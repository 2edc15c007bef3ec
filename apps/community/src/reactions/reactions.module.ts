import { Module } from '@nestjs/common';
import { OutboxModule } from '../outbox/outbox.module';
import { ReactionsController } from './reactions.controller';
import { ReactionsService } from './reactions.service';

/** Praise and collections. */
@Module({ imports: [OutboxModule], controllers: [ReactionsController], providers: [ReactionsService] })
export class ReactionsModule {}
