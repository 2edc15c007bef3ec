/** Where a command writes: results to `out`, everything on the way there to `err`. */
export interface Terminal {
  readonly out: NodeJS.WritableStream;
  readonly err: NodeJS.WritableStream & { readonly isTTY?: boolean };
}

/** The process' own streams. */
export const processTerminal: Terminal = { out: process.stdout, err: process.stderr };
