import { ApiProperty } from '@nestjs/swagger';
import { IsString, Length, MaxLength } from 'class-validator';
import { VisibleText } from '../input/visible-text';
import { shownName } from '../profiles/shown-name';

/** A name that others see, and a password. */
export class Registration {
  @VisibleText({
    max: 40,
    tidy: shownName,
    description: 'Shown on leaderboards; nobody else may have it, in capitals or not, nor one that looks the same.',
    example: 'Ada',
  })
  readonly name: string;

  @ApiProperty({ format: 'password', minLength: 8, maxLength: 200, example: 'correct horse' })
  @Length(8, 200)
  @IsString()
  readonly password: string;
}

/** The body of a sign-in. */
export class Credentials {
  @ApiProperty({ maxLength: 200, example: 'Ada' })
  @MaxLength(200)
  @IsString()
  readonly name: string;

  @ApiProperty({ format: 'password', maxLength: 200, example: 'correct horse' })
  @MaxLength(200)
  @IsString()
  readonly password: string;
}
