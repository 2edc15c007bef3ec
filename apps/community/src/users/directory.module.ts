import { USER_DIRECTORY } from '@laurel/activity';
import { Module } from '@nestjs/common';
import { CommunityDirectory } from './community-directory';

/** Binds the ranking module's directory of users to the community's. */
@Module({
  providers: [{ provide: USER_DIRECTORY, useClass: CommunityDirectory }],
  exports: [USER_DIRECTORY],
})
export class DirectoryModule {}
