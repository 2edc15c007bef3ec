import { SUBJECT_PARTITIONS } from '@laurel/activity';
import { Module } from '@nestjs/common';
import { ArticlePartitions } from './article-partitions';

/** Binds what the ranking module asks of subjects to the community's articles. */
@Module({
  providers: [{ provide: SUBJECT_PARTITIONS, useClass: ArticlePartitions }],
  exports: [SUBJECT_PARTITIONS],
})
export class ArticlePartitionsModule {}
