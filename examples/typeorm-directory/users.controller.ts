import { ActivityService } from '@laurel/activity';
import { Body, Controller, HttpCode, Param, Post, Put } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { User } from './user.entity';

@Controller('users')
export class UsersController {
  constructor(
    @InjectRepository(User) private readonly users: Repository<User>,
    private readonly activities: ActivityService,
  ) {}

  @Put(':id')
  @HttpCode(204)
  async save(@Param('id') id: string, @Body() user: Pick<User, 'name' | 'isBanned'>): Promise<void> {
    await this.users.save({ ...user, id });
  }

  @Post(':id/praises/:article')
  praise(@Param('id') userId: string, @Param('article') article: string) {
    return this.activities.record({ userId, action: 'praise', subject: `article:${article}` });
  }
}
