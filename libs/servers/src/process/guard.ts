import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';

/**
 * Ends servers whose parent is gone. Handlers of `exit` and of signals do not run when a process is killed or crashes,
 * and inside Jest not at all; a pipe closes in every case. So a small shell holds the reading end of a pipe from this
 * process, is told which servers run, and ends those left when the pipe closes.
 */
const script = `
trap '' INT TERM HUP
pids=
while read -r verb pid signal; do
  case $verb in
    watch) pids="$pids $pid:$signal" ;;
    forget) kept=; for p in $pids; do case $p in "$pid":*) ;; *) kept="$kept $p" ;; esac; done; pids=$kept ;;
  esac
done
for p in $pids; do kill -s "\${p#*:}" "\${p%%:*}" 2>/dev/null; done
`;

let guard: ChildProcess | undefined;
const watched = new Set<number>();

/** Has `signal` sent to `pid` as soon as this process is gone, however it goes. */
export function watch(pid: number, signal: 'TERM' | 'INT' | 'KILL'): void {
  guard ??= startGuard();
  watched.add(pid);
  guard.stdin?.write(`watch ${pid} ${signal}\n`);
}

/** The server has ended by itself: its pid may soon be another program's. */
export function forget(pid: number): void {
  if (!watched.delete(pid)) return;
  guard?.stdin?.write(`forget ${pid}\n`);
  if (watched.size > 0) return;
  guard?.stdin?.end();
  guard = undefined;
}

function startGuard(): ChildProcess {
  // A session of its own: an interrupt from the terminal must not reach it before it has done its work.
  const child = spawn('/bin/sh', ['-c', script], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  child.unref();
  if (child.stdin instanceof Socket) child.stdin.unref();
  child.stdin?.on('error', () => undefined); // ended by someone: nothing left to tell it
  return child;
}
