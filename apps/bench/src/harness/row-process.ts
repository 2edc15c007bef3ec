import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Benchmark, reportFolder } from './context';
import type { Failure, Results } from './run-benchmark';
import type { Comparison } from './sample';

/** The benchmarks of one commit, built: the words of the command that starts them. */
export type Program = readonly [command: string, ...args: string[]];

export interface RowProcessOptions {
  /** Sizes, rounds and length, as the command takes them. */
  readonly args: readonly string[];
  /** Told what the process says, as it says it. */
  readonly say: (text: string) => void;
  /** A row that takes longer has failed. */
  readonly timeoutMs: number;
  /** Ends the row. */
  readonly signal: AbortSignal;
}

/** The least that a report file of any commit since 2026-11-20 holds. */
interface ReportFile {
  readonly results: readonly Comparison[];
  readonly failures?: readonly Failure[];
}

/**
 * Runs one row in a process and a folder of its own: what it leaves behind changes no other row, and a row that crashes
 * or hangs is a row that failed. Relies on nothing but `--only` and the report that the command writes, so that a
 * commit of some time ago can be asked as well.
 */
export async function runRow(
  program: Program,
  { name, title }: Pick<Benchmark, 'name' | 'title'>,
  { args, say, timeoutMs, signal }: RowProcessOptions,
): Promise<Results> {
  const startedMs = performance.now();
  const seconds = () => ({ [name]: Math.round((performance.now() - startedMs) / 1_000) });
  const folder = await mkdtemp(join(tmpdir(), 'laurel-bench-'));
  try {
    signal.throwIfAborted();
    const [command, ...rest] = program;
    // A process group of its own: what the row has started ends with it.
    const child = spawn(command, [...rest, '--only', name, ...args], {
      cwd: folder,
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const ended = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-4_000);
      say(text);
    });
    const late = AbortSignal.timeout(timeoutMs);
    const end = () => child.pid !== undefined && process.kill(-child.pid, 'SIGKILL');
    const either = AbortSignal.any([signal, late]);
    either.addEventListener('abort', end);
    const [code, killed] = await ended.finally(() => either.removeEventListener('abort', end));
    signal.throwIfAborted();
    const failed = (message: string): Results => ({
      comparisons: [],
      failures: [{ name, title, message }],
      seconds: seconds(),
    });
    if (late.aborted) return failed(`It took longer than ${timeoutMs / 1_000} seconds.`);
    const report = await readReport(join(folder, reportFolder));
    if (!report) return failed(lastLineOf(said) ?? `It ended by ${killed ?? `exit code ${code}`} without a word.`);
    const comparisons = report.results.map((comparison) => ({ ...comparison, benchmark: name }));
    return { comparisons, failures: report.failures ?? [], seconds: seconds() };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function readReport(folder: string): Promise<ReportFile | null> {
  const [file] = await readdir(folder).catch(() => []);
  return file === undefined ? null : (JSON.parse(await readFile(join(folder, file), 'utf8')) as ReportFile);
}

/** Node prints an error's message above its stack: the last line that is no frame of it. */
function lastLineOf(said: string): string | undefined {
  const lines = said.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '' && !/^(at |Node\.js v|[{}^])/.test(line)).at(-1);
}
