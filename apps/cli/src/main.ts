import 'reflect-metadata';
import { CommandError } from './command-error';
import { processTerminal } from './output/terminal';
import { createProgram } from './program';

async function main(): Promise<void> {
  const interrupt = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupt.abort());
  const context = { terminal: processTerminal, stdin: process.stdin, env: process.env, signal: interrupt.signal };
  try {
    await createProgram(context).parseAsync();
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = error.exitCode;
  }
}

void main();
