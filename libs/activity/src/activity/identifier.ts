/** The longest user id, in bytes of UTF-8. */
export const maxUserIdBytes = 128;

/** The longest subject, in bytes of UTF-8. */
export const maxSubjectBytes = 512;

/** What is wrong with a user id or a subject, or null. Any text will do as long as it has a UTF-8 of its own. */
export function identifierFault(value: unknown, maxBytes: number): string | null {
  if (typeof value !== 'string') return 'must be a string';
  if (value.length === 0) return `must not be empty: use 1 to ${maxBytes} bytes`;
  if (value.length * 3 > maxBytes && Buffer.byteLength(value) > maxBytes) {
    return `must be at most ${maxBytes} bytes in UTF-8`;
  }
  return value.isWellFormed() ? null : 'must be well-formed Unicode: it holds half of a surrogate pair';
}
