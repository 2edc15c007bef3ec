import { SUBJECT_PARTITIONS, USER_DIRECTORY } from '@laurel/activity';
import { Module } from '@nestjs/common';
import { ArticlePartitions } from './article-partitions';
import { CommunityDirectory } from './community-directory';

/** Binds what the ranking module asks of users and subjects to the community's users and articles. */
@Module({
  providers: [
    { provide: SUBJECT_PARTITIONS, useClass: ArticlePartitions },
    { provide: USER_DIRECTORY, useClass: CommunityDirectory },
  ],
  exports: [SUBJECT_PARTITIONS, USER_DIRECTORY],
})
export class DirectoryModule {}
