import { ActivityService } from '@laurel/activity';
import { Body, Controller, HttpCode, Inject, Param, ParseIntPipe, Post, Put } from '@nestjs/common';
import { DATABASE, type Database } from './database';
import { users } from './schema';

@Controller('users')
export class UsersController {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly activities: ActivityService,
  ) {}

  @Put(':id')
  @HttpCode(204)
  async save(
    @Param('id', ParseIntPipe) id: number,
    @Body() { name, isBanned }: { readonly name: string; readonly isBanned?: boolean },
  ): Promise<void> {
    const set = { name, isBanned: isBanned ?? false };
    await this.database
      .insert(users)
      .values({ id, ...set })
      .onConflictDoUpdate({ target: users.id, set });
  }

  @Post(':id/praises/:article')
  praise(@Param('id') userId: string, @Param('article') article: string) {
    return this.activities.record({ userId, action: 'praise', subject: `article:${article}` });
  }
}
