import { startRedis, type RedisServer } from '@laurel/servers';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A private Redis under callgrind, which counts the instructions that Redis executes, without the kernel's. */
export class CountedRedis {
  private dumps = 0;

  private constructor(
    private readonly server: RedisServer,
    private readonly folder: string,
  ) {}

  /** Starts one. Nothing is counted yet, so that filling it takes less time. */
  static async start(): Promise<CountedRedis> {
    await run('valgrind', ['--version']).catch((cause: unknown) => {
      throw new Error('valgrind is not installed: apt-get install valgrind.', { cause });
    });
    const folder = await mkdtemp(join(tmpdir(), 'laurel-callgrind-'));
    const counting = [`--callgrind-out-file=${join(folder, 'out')}`, '--instr-atstart=no', '--dump-instr=no'];
    const under = ['valgrind', '--quiet', '--tool=callgrind', ...counting];
    // Redis' timed work would be counted too.
    return new CountedRedis(await startRedis({ under, args: ['--hz', '1', '--dynamic-hz', 'no'] }), folder);
  }

  get url(): string {
    return this.server.url;
  }

  /** The instructions that Redis executes during `work`. */
  async during(work: () => Promise<unknown>): Promise<number> {
    await this.tell('instrumentation', 'on');
    await this.tell('zero');
    await work();
    await this.tell('dump');
    await this.tell('instrumentation', 'off');
    this.dumps += 1;
    const profile = await readFile(join(this.folder, `out.${this.dumps}`), 'utf8');
    const [, instructions] = /^(?:totals|summary): (\d+)/m.exec(profile) ?? [];
    if (instructions === undefined) throw new Error('callgrind wrote no totals.');
    return Number(instructions);
  }

  async stop(): Promise<void> {
    await this.server.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  private async tell(...command: readonly string[]): Promise<void> {
    await run('vgdb', [`--pid=${this.server.pid}`, ...command]);
  }
}
