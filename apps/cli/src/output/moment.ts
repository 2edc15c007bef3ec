import { CommandError } from '../errors/command-error';

const momentPattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/;

/** Reads an option that is a moment. */
export function momentFrom(option: string): (text: string) => Date {
  return (text) => {
    const moment = new Date(text);
    if (momentPattern.test(text) && !Number.isNaN(moment.getTime())) return moment;
    throw new CommandError(`${option} is ${JSON.stringify(text)}: use a moment such as 2026-11-01T00:00:00Z.`);
  };
}
