import { ApiProperty } from '@nestjs/swagger';
import { avatarUrlOf } from './avatar-url';

/** A user, as other users see them. */
export class UserSummary {
  @ApiProperty({ example: '42' })
  readonly id: string;

  @ApiProperty({ example: 'Ada' })
  readonly name: string;

  @ApiProperty({ example: '/avatars/42.svg' })
  readonly avatarUrl: string;
}

/** A user's row as a {@link UserSummary}. */
export function summaryOf({ id, name }: { readonly id: string; readonly name: string }): UserSummary {
  return { id, name, avatarUrl: avatarUrlOf(id) };
}
