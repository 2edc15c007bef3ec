/** The address of a user's picture, which this app draws from the user id alone. */
export function avatarUrlOf(userId: string): string {
  return `/avatars/${userId}.svg`;
}
