import { Readable, Writable } from 'node:stream';
// Private: the program itself, in this process: its package is what an app's configuration imports.
import { CommandError } from '../../apps/cli/src/errors/command-error';
import { createProgram } from '../../apps/cli/src/program';
import { patientEnvironment } from './patient';
import { freshPrefix, testRedisUrl } from './redis';

/** What a command printed, and how it ended. */
export interface CliResult {
  readonly exitCode: number;
  readonly out: string;
  readonly err: string;
}

/** What a command is given: nothing of this process' own environment. */
export interface CliInput {
  readonly env: NodeJS.ProcessEnv;
  readonly stdin?: Buffer | string;
  /** Interrupts the command as soon as it has printed this on its way. */
  readonly interruptAt?: string;
  /** Whether a person looks at what it prints. */
  readonly isTerminal?: boolean;
}

/** Runs a command of the operators in this process. */
export async function runCli(args: readonly string[], input: CliInput): Promise<CliResult> {
  const interrupt = new AbortController();
  const out = new Collected();
  const err = new Collected((text) => {
    if (input.interruptAt !== undefined && text.includes(input.interruptAt)) interrupt.abort();
  });
  const context = {
    terminal: { out, err: Object.assign(err, { isTTY: input.isTerminal ?? false }) },
    stdin: Readable.from([Buffer.from(input.stdin ?? '')]),
    env: { ...patientEnvironment, ...input.env },
    signal: interrupt.signal,
  };
  let exitCode = 0;
  try {
    const program = createProgram(context).exitOverride();
    for (const command of program.commands) command.exitOverride().configureOutput(program.configureOutput());
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (error instanceof CommandError) {
      exitCode = error.exitCode;
      err.write(`${error.message}\n`);
    } else if (error instanceof Error && 'exitCode' in error) {
      exitCode = Number(error.exitCode);
    } else {
      throw error;
    }
  }
  return { exitCode, out: out.text, err: err.text };
}

/**
 * Commands on data of a prefix that is fresh in each test.
 * @param before what stands before the arguments of each: the name of a command.
 */
export function commands(before: readonly string[] = [], env: NodeJS.ProcessEnv = {}) {
  let prefix: string;
  beforeEach(() => void (prefix = freshPrefix()));
  const call = (args: readonly string[], input: Partial<CliInput> = {}): Promise<CliResult> =>
    runCli(args, { ...input, env: { REDIS_URL: testRedisUrl(), LAUREL_PREFIX: prefix, ...env, ...input.env } });
  const run = (args: readonly string[], input?: Partial<CliInput>) => call([...before, ...args], input);
  return {
    get prefix() {
      return prefix;
    },
    /** Calls any command. */
    call,
    run,
    /** What a command tells by `--json`; one that fails is thrown. */
    async json<Told = object>(args: readonly string[], input: Partial<CliInput> = {}): Promise<Told> {
      const { exitCode, out, err } = await run([...args, '--json'], input);
      if (exitCode !== 0) throw new Error(err);
      return JSON.parse(out) as Told;
    },
    /** Users and points of a leaderboard, in rank order. */
    async standings(leaderboard: string, ...args: readonly string[]): Promise<[userId: string, points: number][]> {
      const { out } = await call(['export', '--leaderboard', leaderboard, ...args]);
      const lines = out.split('\n').filter((line) => line !== '');
      return lines
        .map((line) => JSON.parse(line) as { userId: string; score: number })
        .map(({ userId, score }) => [userId, score]);
    },
    /** That no board differs from its ledgers. */
    async expectVerified(): Promise<void> {
      expect((await call(['verify'])).out).toMatch(/: 0 differences\.\n$/);
    },
  };
}

class Collected extends Writable {
  text = '';

  constructor(private readonly onText: (text: string) => void = () => undefined) {
    super();
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString('utf8');
    this.onText(this.text);
    done();
  }
}
