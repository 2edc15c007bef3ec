import { Module } from '@nestjs/common';
import { NamesController } from './names.controller';
import { NamesService } from './names.service';

/** Names for the subjects of activities. */
@Module({ controllers: [NamesController], providers: [NamesService] })
export class NamesModule {}
