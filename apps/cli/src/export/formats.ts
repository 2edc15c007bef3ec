import type { Entry } from '@laurel/leaderboard';

/** How standings are written. */
export interface Format {
  /** The text before the first line. */
  readonly head: string;
  readonly line: (entry: Entry) => string;
}

/** The formats of exports, by name. */
export const formats = {
  ndjson: {
    head: '',
    line: ({ rank, member, score, reachedAt }) => `${JSON.stringify({ rank, userId: member, score, reachedAt })}\n`,
  },
  csv: {
    head: 'rank,userId,score,reachedAt\r\n',
    line: ({ rank, member, score, reachedAt }) =>
      `${rank},${csvField(member)},${score},${reachedAt?.toISOString() ?? ''}\r\n`,
  },
} as const satisfies Record<string, Format>;

/** The name of a format. */
export type FormatName = keyof typeof formats;

/**
 * A field as RFC 4180 has it. One that a spreadsheet would take for a formula is begun with an apostrophe, as OWASP's
 * page on CSV injection advises: users choose their ids.
 */
function csvField(text: string): string {
  const harmless = /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
