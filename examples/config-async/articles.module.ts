import { PraiseEvent } from '@laurel/activity/core';
import { Controller, HttpCode, Module, Param, Put } from '@nestjs/common';
import { EventEmitter2 } from '@nestjs/event-emitter';

@Controller('articles')
class ArticlesController {
  constructor(private readonly emitter: EventEmitter2) {}

  @Put(':id/praise/:userId')
  @HttpCode(204)
  async praise(@Param('id') id: string, @Param('userId') userId: string): Promise<void> {
    // Here your app saves the praise. Whoever awaits `emitAsync` goes on when the points are in Redis.
    await this.emitter.emitAsync(PraiseEvent.eventName, new PraiseEvent({ userId, subject: `article:${id}` }));
  }
}

/** A feature: it imports nothing of the ranking. */
@Module({ controllers: [ArticlesController] })
export class ArticlesModule {}
