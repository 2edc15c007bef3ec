import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/**
 * What the thread does: bcrypt in plain JavaScript. As text, so that it is the same whether the app was built or is
 * compiled as it runs; the path of bcryptjs is passed in.
 */
const source = `
const { parentPort, workerData } = require('node:worker_threads');
const { hashSync } = require(workerData);
parentPort.on('message', ([password, salt]) => parentPort.postMessage(hashSync(password, salt)));
`;

/** A thread that hashes one password at a time. It does not keep the process alive. */
export class PasswordThread {
  private readonly worker = new Worker(source, { eval: true, workerData: require.resolve('bcryptjs') });

  constructor() {
    this.worker.unref();
  }

  /**
   * A bcrypt hash.
   * @param salt rounds as a power of 2 for a salt of its own; or what a hash begins with, for one to compare with it.
   * @throws Error where the thread ended: it can be used no more.
   */
  async hash(password: string, salt: number | string): Promise<string> {
    const ending = new AbortController();
    const { signal } = ending;
    try {
      this.worker.postMessage([password, salt]);
      // An error of the thread's own rejects both.
      const ended = once(this.worker, 'exit', { signal }).then(() => {
        throw new Error('The thread that hashes passwords ended.');
      });
      const [hash] = (await Promise.race([once(this.worker, 'message', { signal }), ended])) as [string];
      return hash;
    } finally {
      ending.abort();
    }
  }

  async stop(): Promise<void> {
    await this.worker.terminate();
  }
}
