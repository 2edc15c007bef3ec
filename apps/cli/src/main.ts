#!/usr/bin/env node
import 'reflect-metadata';
import { CommandError, interruptedExitCode } from './errors/command-error';
import { processTerminal } from './output/terminal';
import { createProgram } from './program';

/**
 * How long an interrupted command may take to end by itself. It is killed then: every command may be cut short
 * anywhere.
 */
const endsWithinMs = 10_000;

async function main(): Promise<void> {
  const interrupt = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => end(interrupt));
  const context = { terminal: processTerminal, stdin: process.stdin, env: process.env, signal: interrupt.signal };
  try {
    await createProgram(context).parseAsync();
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = error.exitCode;
  }
}

/** Told twice, it ends at once. */
function end(interrupt: AbortController): void {
  if (interrupt.signal.aborted) process.exit(interruptedExitCode);
  interrupt.abort();
  setTimeout(() => {
    process.stderr.write('Interrupted in the middle of a step: run the command again. Finished steps stay done.\n');
    process.exit(interruptedExitCode);
  }, endsWithinMs).unref();
}

void main();
