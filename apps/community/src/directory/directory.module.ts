import { USER_DIRECTORY } from '@laurel/activity';
import { Module } from '@nestjs/common';
import { CommunityDirectory } from './community-directory';

/** Binds what the ranking module asks of users and subjects to the community's users and articles. */
@Module({
  providers: [
    { provide: USER_DIRECTORY, useClass: CommunityDirectory },
  ],
  exports: [USER_DIRECTORY],
})
export class DirectoryModule {}
