import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { testZone } from '../../support/midday-zone';
import { waitUntil } from '../../support/wait-until';
import { root } from '../../support/run';

const script = `require('./tools/register-typescript.cjs'); require('./apps/community/src/main.ts');
process.on('message', () => { gc(); process.send(process.memoryUsage().heapUsed); });`;

/** The community's own program, as a process of its own that a test may kill. */
export class MortalCommunity {
  private address = '';

  private constructor(private readonly child: ChildProcess) {}

  /** Where it listens; nowhere before it does. */
  get url(): string {
    return this.address;
  }

  /**
   * Starts it and waits until it listens.
   * @param cwd where its sources lie: this project's, or those of another version.
   */
  static async start(env: Readonly<Record<string, string>>, cwd = root): Promise<MortalCommunity> {
    const community = MortalCommunity.launch(env, cwd);
    await community.listening();
    return community;
  }

  /** Starts it and waits for nothing: it may be killed on its way. */
  static launch(env: Readonly<Record<string, string>>, cwd = root): MortalCommunity {
    const child = spawn(process.execPath, ['--expose-gc', '-e', script], {
      cwd,
      env: {
        PATH: process.env.PATH,
        AUTH_SECRET: 'a-secret-of-the-tests',
        LAUREL_CACHE_MS: '0',
        // However slow the machine is.
        LAUREL_COMMAND_TIMEOUT_MS: '60000',
        LAUREL_DRAIN_MS: '0',
        LAUREL_THROTTLE: 'off',
        LAUREL_TIMEZONE: testZone,
        ...env,
      },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    const community = new MortalCommunity(child);
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      const [, address] = /^Listening on (\S+)/.exec(line) ?? [];
      if (address !== undefined) community.address = address;
    });
    return community;
  }

  private async listening(): Promise<void> {
    await waitUntil(() => this.address !== '' || this.hasEnded, {
      withinMs: 120_000,
      what: 'a community that listens',
    });
    if (this.hasEnded) throw new Error(`The community ended with ${this.child.exitCode} before it listened.`);
  }

  private get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** SIGKILL: it has no time for anything. */
  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }

  async stop(): Promise<void> {
    await this.end('SIGTERM');
  }

  /** What its heap holds after a collection, in MB. */
  async heapMb(): Promise<number> {
    const answer = once(this.child, 'message');
    this.child.send('heap');
    return Number((await answer)[0]) / 1_048_576;
  }

  /** Sends a signal and waits for nothing. */
  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** With which code it ends; null where a signal ended it. */
  async exitCode(): Promise<number | null> {
    if (!this.hasEnded) await once(this.child, 'exit');
    return this.child.exitCode;
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    if (this.hasEnded) return;
    const ended = once(this.child, 'exit');
    this.child.kill(signal);
    await ended;
  }
}
