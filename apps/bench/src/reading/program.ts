import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** Starts one of our built programs and waits until it answers at `url`. */
export async function startProgram(
  file: string,
  env: Readonly<Record<string, string>>,
  url: string,
): Promise<ChildProcess> {
  const child = spawn(process.execPath, [file], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const said: Buffer[] = [];
  child.stderr?.on('data', (chunk: Buffer) => said.push(chunk));
  const deadline = performance.now() + 60_000;
  while (!(await answers(url))) {
    if (child.exitCode !== null || performance.now() > deadline) {
      throw new Error(`${file} does not answer at ${url}. It said:\n${Buffer.concat(said).toString('utf8')}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return child;
}

export async function stopProgram(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
}
