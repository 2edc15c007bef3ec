import { ApiProperty } from '@nestjs/swagger';

/** The address of a user's picture, which this app draws from the user id alone. */
export const avatarUrlOf = (userId: string): string => `/avatars/${userId}.svg`;

/** A user, as other users see them. */
export class UserSummary {
  @ApiProperty({ example: '42' })
  readonly id: string;

  @ApiProperty({ example: 'Ada' })
  readonly name: string;

  @ApiProperty({ example: '/avatars/42.svg' })
  readonly avatarUrl: string;
}

/** As much of a user's row as others see. */
export type Named = Pick<UserSummary, 'id' | 'name'>;

/** A user's row as a {@link UserSummary}. */
export function summaryOf({ id, name }: Named): UserSummary {
  return { id, name, avatarUrl: avatarUrlOf(id) };
}
