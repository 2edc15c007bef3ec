import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A program that prints `Listening on <address>`, as a process of its own. */
export class StartedApp {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {}

  static async start(
    cwd: string,
    program: readonly string[],
    env: Readonly<Record<string, string>>,
  ): Promise<StartedApp> {
    const child = spawn(process.execPath, program, {
      cwd,
      env: { PATH: process.env.PATH, PORT: '0', NO_COLOR: '1', ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const url = await new Promise<string>((resolve, reject) => {
      createInterface({ input: child.stdout }).on('line', (line) => {
        const [, address] = /^Listening on (.+)$/.exec(line) ?? [];
        if (address !== undefined) resolve(address);
      });
      child.once('exit', (code) => reject(new Error(`${program.join(' ')} ended with ${code} before it listened.`)));
    });
    return new StartedApp(child, url);
  }

  /** Asks it, as a user or with the key; a body is sent as JSON. */
  ask(
    path: string,
    { method = 'GET', user, apiKey, body }: { method?: string; user?: string; apiKey?: string; body?: object } = {},
  ): Promise<Response> {
    const headers = {
      ...(user !== undefined && { 'x-user': user }),
      ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    return fetch(`${this.url}${path}`, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
  }

  /** The points of the day, by user. */
  async pointsOfDay(): Promise<Record<string, number>> {
    const page = (await (await this.ask('/ranks/day')).json()) as {
      readonly entries: readonly { readonly userId: string; readonly score: number }[];
    };
    return Object.fromEntries(page.entries.map(({ userId, score }) => [userId, score]));
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
