import { Exclusions } from '@laurel/activity';
import { Controller, Delete, Param, Put, UseGuards } from '@nestjs/common';
import { StaffGuard } from './session.guard';

/** What the API key may do on routes of Laurel, here for people: its services, behind a guard of the app. */
@Controller('staff/bans')
@UseGuards(StaffGuard)
export class StaffController {
  constructor(private readonly exclusions: Exclusions) {}

  @Put(':userId')
  ban(@Param('userId') userId: string) {
    return this.exclusions.exclude(userId, { reason: 'banned' });
  }

  @Delete(':userId')
  pardon(@Param('userId') userId: string) {
    return this.exclusions.include(userId);
  }
}
