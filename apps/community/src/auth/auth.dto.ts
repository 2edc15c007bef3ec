import { ApiProperty } from '@nestjs/swagger';
import { IsString, Length, MaxLength } from 'class-validator';
import { maxPasswordBytes } from './passwords';
import { VisibleText } from '../http/visible-text';
import { MaxBytes } from '../http/max-bytes';
import { shownName } from '../users/shown-name';
import { UserSummary } from '../users/user-summary';

/** A name that others see, and a password. */
export class Registration {
  @ApiProperty({
    minLength: 1,
    maxLength: 40,
    description: 'Shown on leaderboards; nobody else may have it, in capitals or not, nor one that looks the same.',
    example: 'Ada',
  })
  @VisibleText({ max: 40, tidy: shownName })
  readonly name: string;

  @ApiProperty({
    format: 'password',
    minLength: 8,
    description: `At most ${maxPasswordBytes} bytes in UTF-8.`,
    example: 'correct horse',
  })
  @MaxBytes(maxPasswordBytes)
  @Length(8, 72)
  @IsString()
  readonly password: string;
}

/** What a user signs in with. */
export class Credentials {
  @ApiProperty({ example: 'Ada' })
  @MaxLength(200)
  @IsString()
  readonly name: string;

  @ApiProperty({ format: 'password', example: 'correct horse' })
  @MaxLength(200)
  @IsString()
  readonly password: string;
}

/** A user signed in. */
export class Session {
  @ApiProperty({ description: 'Sent as `Authorization: Bearer <token>`.' })
  readonly token: string;

  @ApiProperty({ format: 'date-time', description: 'From when on the token is worth nothing.' })
  readonly expiresAt: string;

  @ApiProperty({ type: UserSummary })
  readonly user: UserSummary;
}
