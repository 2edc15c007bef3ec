import type { JobReceipt } from '@laurel/activity/internals';
import { setTimeout as delay } from 'node:timers/promises';
import { CommandError, interruptedExitCode } from '../errors/command-error';
import { askApp } from './ask-app';
import type { CommandContext } from './command-context';

/** How often it is asked whether a job is done. */
const askAgainMs = 500;

/** The receipt of a job once it is done. @throws CommandError where the command is interrupted: the app goes on. */
export async function untilDone<Receipt extends JobReceipt>(
  { signal }: CommandContext,
  begun: Receipt,
  find: (id: string) => Promise<Receipt>,
): Promise<Receipt> {
  let receipt = begun;
  while (receipt.state !== 'done') {
    if (signal.aborted) {
      const told = `Interrupted: the app goes on, its receipt is ${receipt.id}.`;
      throw new CommandError(told, { exitCode: interruptedExitCode });
    }
    await delay(askAgainMs);
    receipt = await find(receipt.id);
  }
  return receipt;
}

/** Asks the app at an address for a job, and waits until it is done. @throws CommandError as {@link askApp}. */
export async function doneByApp<Receipt extends JobReceipt>(
  context: CommandContext,
  address: string,
  { receipts, ...asked }: Parameters<typeof askApp>[2] & { readonly receipts: string },
): Promise<Receipt> {
  const ask = async (one: Parameters<typeof askApp>[2]): Promise<Receipt> =>
    (await (await askApp(context, address, one)).json()) as Receipt;
  const find = (id: string) => ask({ method: 'GET', path: `${receipts}/${encodeURIComponent(id)}` });
  return untilDone(context, await ask(asked), find);
}
