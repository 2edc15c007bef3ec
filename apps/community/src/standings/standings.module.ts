import { STANDINGS_ARCHIVE } from '@laurel/activity';
import { PostgresArchive } from '@laurel/archive';
import { Module } from '@nestjs/common';
import { Pool } from 'pg';

/** Binds the ranking module's archive of final standings to the community's database. */
@Module({
  providers: [{ provide: STANDINGS_ARCHIVE, inject: [Pool], useFactory: (pool: Pool) => new PostgresArchive(pool) }],
  exports: [STANDINGS_ARCHIVE],
})
export class StandingsModule {}
