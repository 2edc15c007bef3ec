import type { CommandContext } from './command-context';

/** Says what a command leaves out that works in Redis alone: the app knows where it is. */
export function tellLeftOut({ terminal }: CommandContext): void {
  terminal.err.write('Left out: dead letters of a stream of activities. With --url, the app looks there too.\n');
}
