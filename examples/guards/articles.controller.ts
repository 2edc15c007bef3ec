import { PraiseEvent, ScoreVisit } from '@laurel/activity';
import { Controller, Get, HttpCode, Param, Put, Req } from '@nestjs/common';
import { EventEmitter2 } from '@nestjs/event-emitter';
import { Public, type SignedIn } from './session.guard';

@Controller('articles')
export class ArticlesController {
  constructor(private readonly emitter: EventEmitter2) {}

  /** Everybody may read. A reader who is signed in earns a point, once a day for each article. */
  @Public()
  @Get(':id')
  @ScoreVisit({ subject: ({ id }: { id: string }) => `article:${id}` })
  read(@Param('id') id: string) {
    return { id };
  }

  @Put(':id/praise')
  @HttpCode(204)
  async praise(@Param('id') id: string, @Req() { user }: { readonly user: SignedIn }): Promise<void> {
    const event = new PraiseEvent({ userId: user.id, subject: `article:${id}` });
    await this.emitter.emitAsync(PraiseEvent.eventName, event);
  }
}
