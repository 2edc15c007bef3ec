/** Where a user's picture is: drawn by this app, from his id alone. */
export function avatarUrlOf(userId: string): string {
  return `/avatars/${userId}.svg`;
}
