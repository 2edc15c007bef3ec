import { Readable, Writable } from 'node:stream';
import { CommandError } from '../../apps/cli/src/command-error';
import { createProgram } from '../../apps/cli/src/program';

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
  readonly signal?: AbortSignal;
}

/** Runs a command of the operators in this process. */
export async function runCli(args: readonly string[], input: CliInput): Promise<CliResult> {
  const out = new Collected();
  const err = new Collected();
  const context = {
    terminal: { out, err },
    stdin: Readable.from([Buffer.from(input.stdin ?? '')]),
    env: input.env,
    signal: input.signal ?? new AbortController().signal,
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

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString('utf8');
    done();
  }
}
