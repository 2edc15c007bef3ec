import { USER_DIRECTORY } from '@laurel/activity';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { TypeOrmDirectory } from './typeorm-directory';
import { User } from './user.entity';

@Module({
  imports: [TypeOrmModule.forFeature([User])],
  providers: [{ provide: USER_DIRECTORY, useClass: TypeOrmDirectory }],
  exports: [TypeOrmModule, USER_DIRECTORY],
})
export class UsersModule {}
