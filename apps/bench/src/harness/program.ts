import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { extname, join } from 'node:path';

/** Where apps lie: beside this one, built or as sources. */
const apps = join(__dirname, '../../..');

/**
 * Starts a program of one of our apps, such as `community/src/main`, as this process runs: built, or compiled on its
 * way. Waits until it answers at `url`.
 */
export async function startProgram(
  program: string,
  env: Readonly<Record<string, string>>,
  url: string,
): Promise<ChildProcess> {
  const file = join(apps, `${program}${extname(__filename)}`);
  const tellCpu = join(__dirname, `tell-cpu${extname(__filename)}`);
  const child = spawn(process.execPath, [...process.execArgv, '-r', tellCpu, file], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const said: Buffer[] = [];
  child.stderr?.on('data', (chunk: Buffer) => said.push(chunk));
  const deadline = performance.now() + 60_000;
  while (!(await answers(url))) {
    if (child.exitCode !== null || performance.now() > deadline) {
      await stopProgram(child);
      throw new Error(`${file} does not answer at ${url}. It said:\n${Buffer.concat(said).toString('utf8')}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return child;
}

export async function stopProgram(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

/** Microseconds of CPU that a program has used, in user and in system mode. */
export async function cpuOf(program: ChildProcess): Promise<number> {
  const told = once(program, 'message');
  program.send('cpu');
  const [microseconds] = (await told) as [number];
  return microseconds;
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
}
