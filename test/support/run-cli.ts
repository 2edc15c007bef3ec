import { Readable, Writable } from 'node:stream';
// Private: the program itself, in this process: its package is what an app's configuration imports.
import { CommandError } from '../../apps/cli/src/errors/command-error';
import { createProgram } from '../../apps/cli/src/program';
import { patientEnvironment } from './patient';

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
