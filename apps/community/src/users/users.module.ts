import { Module } from '@nestjs/common';
import { ArticlesModule } from '../articles/articles.module';
import { AvatarsController, ProfileController, UsersController } from './users.controller';
import { UsersService } from './users.service';

/** Users' pages and pictures. */
@Module({
  imports: [ArticlesModule],
  controllers: [UsersController, ProfileController, AvatarsController],
  providers: [UsersService],
})
export class UsersModule {}
