import { startRedis } from '@laurel/servers';
import type { ChildProcess } from 'node:child_process';
import { freePort } from '../harness/community';
import type { BenchContext, Benchmark } from '../harness/context';
import { cpuOf, startProgram, stopProgram } from '../harness/program';
import { compare } from '../harness/sample';
import { Listeners } from './listeners';

const apiKey = 'bench-bench-bench';
const listenerCount = 2_000;
const pushes = 4;

/**
 * A page of standings that changes, sent to all its listeners, against the same bytes by `response.write` to as many:
 * the CPU time of the process for each event at one listener, the reading of the board included.
 */
export const streamsBench: Benchmark = {
  name: 'streams',
  title: 'a change of standings, CPU for each listener',
  async run({ rounds, isQuick, report }: BenchContext): Promise<void> {
    const redis = await startRedis();
    const programs: ChildProcess[] = [];
    const open: Listeners[] = [];
    const listeners = isQuick ? 200 : listenerCount;
    /** Microseconds of the program's CPU for each event that a listener hears. */
    const measure = (program: ChildProcess, heard: Listeners, push: () => Promise<unknown>) => async () => {
      const before = await cpuOf(program);
      for (let pushed = 0; pushed < pushes; pushed += 1) await heard.hear(heard.size, push);
      return [((await cpuOf(program)) - before) / (pushes * heard.size)];
    };
    const start = async (name: string, env: Readonly<Record<string, string>>, path: string) => {
      const port = await freePort();
      const url = `http://127.0.0.1:${port}`;
      const program = await startProgram(`bench/src/live/${name}`, { ...env, PORT: String(port) }, `${url}/ranks`);
      programs.push(program);
      return { program, url, stream: `${url}${path}` };
    };
    try {
      const app = await start('listened-app', { REDIS_URL: redis.url, BENCH_API_KEY: apiKey }, '/ranks/day/stream');
      let recorded = 0;
      const record = async () => {
        const event = { userId: `user-${recorded % 10}`, action: 'publish', subject: `article:${(recorded += 1)}` };
        const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
        const body = JSON.stringify({ events: [event] });
        const { ok } = await fetch(`${app.url}/activity/events`, { method: 'POST', headers, body });
        if (!ok) throw new Error('The app did not take the event.');
      };
      while (recorded < 10) await record();
      const ours = await Listeners.open(app.stream, listeners);
      open.push(ours);
      const page = await (await fetch(`${app.url}/ranks/day`)).text();
      const event = `id: ${'x'.repeat(27)}\nevent: standings\ndata: ${page}\n\n`;
      const bare = await start('bare-stream', {}, '/stream');
      const theirs = await Listeners.open(bare.stream, listeners);
      open.push(theirs);
      report(
        await compare(
          measure(app.program, ours, record),
          measure(bare.program, theirs, () => fetch(`${bare.url}/push`, { method: 'POST', body: event })),
          {
            setting: `${listeners.toLocaleString('en')} listeners, ${event.length} bytes`,
            baselineName: '`response.write` of as many bytes to as many open responses',
            metrics: [{ name: streamsBench.title, unit: 'µs', target: null }],
            rounds,
          },
        ),
      );
    } finally {
      for (const one of open) one.close();
      await Promise.all(programs.map(stopProgram));
      await redis.stop();
    }
  },
};
