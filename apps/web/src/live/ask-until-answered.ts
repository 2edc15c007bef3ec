import { isPassing } from '../http/api-error';
import { type Poll, poll } from './poll';
import type { Stop } from './watch';

const againAfterMs = 2_000;

/** Asks once; after a fault that passes by itself, again and again, as {@link poll} does, until there is an answer. */
export function askUntilAnswered<Answer>({ ask, answer, fault }: Omit<Poll<Answer>, 'everyMs'>): Stop {
  const stop = poll({
    everyMs: againAfterMs,
    ask,
    answer: (found) => {
      stop();
      answer(found);
    },
    fault: (error) => {
      if (!isPassing(error)) stop();
      fault(error);
    },
  });
  return stop;
}
