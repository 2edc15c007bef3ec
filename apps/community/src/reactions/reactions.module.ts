import { Module } from '@nestjs/common';
import { ReactionsController } from './reactions.controller';
import { ReactionsService } from './reactions.service';

/** Praise and collections. */
@Module({ controllers: [ReactionsController], providers: [ReactionsService] })
export class ReactionsModule {}
