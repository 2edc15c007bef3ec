import type { Cluster, Command, Redis } from 'ioredis';
import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** The commands that a piece of work sent to Redis. */
export interface Counted {
  /** Commands that the client sent. */
  readonly sent: number;
  /** Round trips that followed from one another. */
  readonly steps: number;
}

/** The functions that settle a command's promise: ioredis sets them when it makes the command. */
interface Settled {
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
}

/** So many turns of the event loop are enough for code to send what it sends without waiting for an answer. */
const turns = 5;

/**
 * Counts the commands that a piece of work sends through a client, and not those of timers that were set before it: an
 * app asks of itself for the number of its shards, and for its rules, every two seconds. Answers are given only when
 * all counted commands under way are answered: whatever the servers' speed, what is sent then is the next step.
 */
export class CommandCount {
  private readonly counting = new AsyncLocalStorage<{ sent: number; steps: number }>();
  private open = 0;
  private held: (() => void)[] = [];

  constructor(client: Redis | Cluster) {
    const send = client.sendCommand.bind(client) as (command: Command, ...rest: unknown[]) => unknown;
    client.sendCommand = (command: Command, ...rest: unknown[]) => {
      this.note(command);
      return send(command, ...rest);
    };
  }

  /** Counts the commands of `work`. One piece of work is counted at a time. */
  async of(work: () => Promise<unknown>): Promise<Counted> {
    const counted = { sent: 0, steps: 0 };
    await this.counting.run(counted, work);
    return { ...counted };
  }

  private note(command: Settled): void {
    const counted = this.counting.getStore();
    if (!counted) return;
    counted.sent += 1;
    if (this.open === 0) counted.steps += 1;
    this.open += 1;
    const { resolve, reject } = command;
    command.resolve = (value) => this.hold(() => resolve(value));
    command.reject = (error) => this.hold(() => reject(error));
  }

  private hold(give: () => void): void {
    this.held.push(give);
    if (this.held.length === this.open) void this.release();
  }

  private async release(): Promise<void> {
    for (let turn = 0; turn < turns; turn += 1) await nextTurn();
    if (this.held.length < this.open) return;
    const given = this.held;
    this.held = [];
    this.open = 0;
    for (const give of given) give();
  }
}

/** Commands that each server has run, those of scripts among them. */
export async function commandsRun(servers: readonly Redis[]): Promise<number[]> {
  return Promise.all(
    servers.map(async (server) => {
      const stats = await server.info('commandstats');
      const counts = [...stats.matchAll(/^cmdstat_([^:]+):calls=(\d+)/gm)];
      return counts.reduce((sum, [, name, calls]) => (overhead.test(name ?? '') ? sum : sum + Number(calls)), 0);
    }),
  );
}

/** Commands that servers and clients send for themselves. */
const overhead = /^(info|ping|cluster|hello|client|replconf|select|command)\b/;
