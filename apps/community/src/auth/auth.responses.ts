import { ApiProperty } from '@nestjs/swagger';
import { UserSummary } from '../profiles/user-summary';

/** A user signed in. */
export class Session {
  @ApiProperty({ description: 'Sent as `Authorization: Bearer <token>`.' })
  readonly token: string;

  @ApiProperty({ format: 'date-time', description: 'From when on the token is worth nothing.' })
  readonly expiresAt: string;

  @ApiProperty({ type: UserSummary })
  readonly user: UserSummary;
}
