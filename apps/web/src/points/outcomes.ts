import type { ClickOutcome as Told } from '../contract/api.generated';
import { formatSigned, formatTime } from '../language/format';
import { messages } from '../language/language';

/** The outcome of a click; null: not known yet. */
export type ClickOutcome = Told | null;

/** The outcome in an answer, if the click asked for it. */
export interface WithOutcome {
  readonly outcome?: ClickOutcome;
}

/** How an outcome is shown. */
export interface ShownOutcome {
  readonly text: string;
  readonly tone: 'gain' | 'loss' | 'none';
}

/** A visit's outcome in the reader's words. A visit that was not recorded at once never will be. */
export function shownVisit(outcome: ClickOutcome): ShownOutcome {
  const { gain } = messages.value;
  return outcome === null ? { text: `${gain.nothing}: ${gain.missed}`, tone: 'none' } : shownOutcome(outcome);
}

/** An outcome in the reader's words: the points or the reason for none, and whether they show nowhere. */
export function shownOutcome(outcome: ClickOutcome): ShownOutcome {
  const shown = pointsOf(outcome);
  return outcome?.excluded ? { ...shown, text: `${shown.text} · ${messages.value.gain.excluded}` } : shown;
}

function pointsOf(outcome: ClickOutcome): ShownOutcome {
  const { gain, actions } = messages.value;
  if (outcome === null) return { text: gain.pending, tone: 'none' };
  const action = actions[outcome.action] ?? outcome.action;
  if (outcome.outcome === 'granted') {
    return { text: gain.granted(formatSigned(outcome.points), action), tone: 'gain' };
  }
  if (outcome.outcome === 'revoked') {
    return { text: gain.revoked(formatSigned(-Math.abs(outcome.points)), action), tone: 'loss' };
  }
  const again = outcome.outcome === 'limited' && outcome.refusal?.allowedAgainAt;
  const why = again ? gain.limitedUntil(formatTime(new Date(again))) : gain[outcome.outcome];
  return { text: `${gain.nothing}: ${why}`, tone: 'none' };
}
