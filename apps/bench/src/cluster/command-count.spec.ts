import type { Redis } from 'ioredis';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CommandCount } from './command-count';

/** A client whose commands are answered, or fail, some turns of the event loop after they were sent. */
function slowClient() {
  const client = {
    sendCommand(command: { resolve: (value: unknown) => void; reject: (error: Error) => void }, turns: number) {
      void (async () => {
        for (let turn = 0; turn < turns; turn += 1) await nextTurn();
        if (turns === 7) command.reject(new Error('refused'));
        else command.resolve('answer');
      })();
    },
  };
  const count = new CommandCount(client as unknown as Redis);
  const send = (turns = 1) =>
    new Promise((resolve, reject) => {
      client.sendCommand({ resolve, reject }, turns);
    });
  return { count, send };
}

describe('the count of commands', () => {
  it('takes commands of which none waits for another one for one step, however slow each is', async () => {
    const { count, send } = slowClient();
    const work = () => Promise.all([send(1), send(20).then(() => send(1)), send(3).then(() => send(3))]);
    expect(await count.of(work)).toEqual({ sent: 5, steps: 2 });
    expect(await count.of(() => send().then(() => send()))).toEqual({ sent: 2, steps: 2 });
  });

  it('counts a command that fails', async () => {
    const { count, send } = slowClient();
    expect(await count.of(() => send(7).catch(() => send()))).toEqual({ sent: 2, steps: 2 });
  });

  it('leaves out what a timer of the app sends meanwhile, and holds none of its answers back', async () => {
    const { count, send } = slowClient();
    let answered = 0;
    const timer = setInterval(() => void send().then(() => (answered += 1)), 1);
    const work = async () => {
      const slow = send(1_000);
      while (answered < 3) await nextTurn();
      await slow;
      return send();
    };
    try {
      expect(await count.of(work)).toEqual({ sent: 2, steps: 2 });
    } finally {
      clearInterval(timer);
    }
  });
});
