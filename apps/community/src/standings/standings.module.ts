import { STANDINGS_ARCHIVE } from '@laurel/activity';
import { Module } from '@nestjs/common';
import { PostgresArchive } from './postgres-archive';

/** Binds the ranking module's archive of final standings to the community's database. */
@Module({
  providers: [{ provide: STANDINGS_ARCHIVE, useClass: PostgresArchive }],
  exports: [STANDINGS_ARCHIVE],
})
export class StandingsModule {}
