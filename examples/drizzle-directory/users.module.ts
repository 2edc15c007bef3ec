import { USER_DIRECTORY } from '@laurel/activity';
import { Module } from '@nestjs/common';
import { DrizzleDirectory } from './drizzle-directory';

@Module({
  providers: [{ provide: USER_DIRECTORY, useClass: DrizzleDirectory }],
  exports: [USER_DIRECTORY],
})
export class UsersModule {}
