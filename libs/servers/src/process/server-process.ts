import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { forget, watch } from './guard';

/** The program to run, its user, and the signal that ends it. */
export interface Program {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly uid?: number;
  readonly gid?: number;
  /** The signal on which the program ends in order. */
  readonly stopSignal: 'TERM' | 'INT';
  /** Given each line the program prints. */
  readonly log?: (line: string) => void;
}

/** How many of a program's last lines are kept for the message when it fails. */
const keptLines = 20;

/** How long a program may take to end in order before it is killed. */
const stopWithinMs = 10_000;

/**
 * A program of ours that runs beside us. It has a session of its own, so that Ctrl-C in a terminal ends us first and we
 * end it when we are done with it; should we be gone without that, the guard ends it.
 */
export class ServerProcess {
  readonly pid: number;
  private readonly lines: string[] = [];
  private readonly ended: Promise<void>;
  private over = false;

  private constructor(
    private readonly child: ChildProcess,
    pid: number,
    private readonly program: Program,
  ) {
    this.pid = pid;
    for (const stream of [child.stdout, child.stderr]) {
      if (stream) createInterface({ input: stream }).on('line', (line) => this.keep(line));
    }
    this.ended = new Promise((resolve) => {
      child.once('close', () => {
        this.over = true;
        forget(pid);
        resolve();
      });
    });
  }

  /** Starts the program. @throws the system's error, e.g. ENOENT or EACCES, when it cannot be run at all. */
  static async start(program: Program): Promise<ServerProcess> {
    const { file, args, cwd, env, uid, gid } = program;
    const child = spawn(file, args, {
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(cwd !== undefined && { cwd }),
      ...(env !== undefined && { env }),
      ...(uid !== undefined && { uid }),
      ...(gid !== undefined && { gid }),
    });
    await once(child, 'spawn');
    const pid = child.pid ?? 0;
    watch(pid, program.stopSignal);
    return new ServerProcess(child, pid, program);
  }

  /** Whether the program has ended. */
  get hasEnded(): boolean {
    return this.over;
  }

  /** The last lines the program printed. */
  get output(): string {
    return this.lines.join('\n');
  }

  /** Asks the program to end in order; kills it when it does not within ten seconds. Resolves when it is gone. */
  async stop(): Promise<void> {
    this.send(`SIG${this.program.stopSignal}`);
    this.send('SIGCONT'); // a paused program would never hear of it
    const timer = new AbortController();
    const late = delay(stopWithinMs, true, { signal: timer.signal }).catch(() => false);
    if (await Promise.race([this.ended.then(() => false), late])) this.send('SIGKILL');
    await this.ended;
    timer.abort();
  }

  /** Kills the program as a crash would. Resolves when it is gone. */
  async kill(): Promise<void> {
    this.send('SIGKILL');
    await this.ended;
  }

  /** Sends a signal unless the program has ended. */
  send(signal: NodeJS.Signals): void {
    if (!this.over) this.child.kill(signal);
  }

  private keep(line: string): void {
    this.lines.push(line);
    if (this.lines.length > keptLines) this.lines.shift();
    this.program.log?.(line);
  }
}
