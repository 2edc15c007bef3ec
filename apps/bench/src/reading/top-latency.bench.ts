import { once } from 'node:events';
import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { BenchContext, Benchmark } from '../harness/context';
import { lehmer, uniform } from '../harness/random';
import { compare } from '../harness/sample';
import { eventSource, transitionOf } from '../recording/events';
import { inFlight, openSetting } from '../recording/setting';
import type { TopReaderData } from './top-reader';

/** The 99th percentile of top-10 reads while recording runs at full speed; the reader is a separate thread. */
export const topLatencyBench: Benchmark = {
  name: 'top-latency',
  title: 'p99 of a top-10 read while recording runs',
  members: [10_000, 1_000_000],
  async run({ memberCounts, rounds, isQuick, report }: BenchContext): Promise<void> {
    const reads = isQuick ? 500 : 3_000;
    for (const members of memberCounts) {
      const setting = await openSetting(members);
      const { server, recorder, day } = setting;
      const workerData: TopReaderData = { url: server.url, day: day.key };
      const worker = new Worker(join(__dirname, `top-reader${extname(__filename)}`), {
        workerData,
        execArgv: process.execArgv,
      });
      await once(worker, 'message');
      try {
        const random = lehmer(7);
        const next = eventSource(uniform(members, random), random, day.start.getTime());
        const percentile99 = async () => {
          worker.postMessage(reads);
          const [times] = (await once(worker, 'message')) as [Float64Array];
          return times.sort()[Math.floor(reads * 0.99)] as number;
        };
        const whileRecording = async () => {
          let isReading = true;
          const recording = inFlight(Infinity, 256, async () => {
            if (isReading) await recorder.record(transitionOf(next()));
            else throw stop;
          }).catch((error: unknown) => {
            if (error !== stop) throw error;
          });
          const figure = await percentile99();
          isReading = false;
          await recording;
          return [figure];
        };
        report(
          await compare(whileRecording, async () => [await percentile99()], {
            setting: `${members.toLocaleString('en')} members`,
            baselineName: 'the same reads while nothing is recorded',
            metrics: [{ name: topLatencyBench.title, unit: 'ms', target: { of: 'subject', atMost: 5 } }],
            rounds,
          }),
        );
      } finally {
        await worker.terminate();
        await setting.close();
      }
    }
  },
};

const stop = new Error('the reader has what it wanted');
