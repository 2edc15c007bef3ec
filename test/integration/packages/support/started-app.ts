import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A program that prints `Listening on <address>`, as a process of its own. */
export class StartedApp {
  private constructor(
    private readonly child: ChildProcess,
    private readonly url: string,
  ) {}

  static async start(cwd: string, script: string, env: Readonly<Record<string, string>>): Promise<StartedApp> {
    const child = spawn(process.execPath, [script], {
      cwd,
      env: { PATH: process.env.PATH, PORT: '0', NO_COLOR: '1', ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const url = await new Promise<string>((resolve, reject) => {
      createInterface({ input: child.stdout }).on('line', (line) => {
        const [, address] = /^Listening on (.+)$/.exec(line) ?? [];
        if (address !== undefined) resolve(address);
      });
      child.once('exit', (code) => reject(new Error(`${script} ended with ${code} before it listened.`)));
    });
    return new StartedApp(child, url);
  }

  /** Asks it as a user. */
  ask(path: string, { method = 'GET', user }: { method?: string; user?: string } = {}): Promise<Response> {
    return fetch(`${this.url}${path}`, { method, ...(user !== undefined && { headers: { 'x-user': user } }) });
  }

  /** Ends it as an operator does; gives the signal or the code with which it ended. */
  async stop(): Promise<string | number | null> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const ended = once(this.child, 'exit');
      this.child.kill('SIGTERM');
      await ended;
    }
    return this.child.signalCode ?? this.child.exitCode;
  }
}
