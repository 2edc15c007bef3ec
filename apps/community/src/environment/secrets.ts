import { optional, readVariables, text, variableError, variableFault, type Variables } from '@laurel/settings';
import { readFileSync } from 'node:fs';

/** A shorter secret can be found by trying, offline, against any one token. */
const minSecretLength = 32;
/** The API key has to be tried against the app itself, which throttles wrong ones. */
const minKeyLength = 16;
/** On one's own machine alone, where nobody else can try. */
const minLocalSecretLength = 8;

/** Read at the start, and no later. */
const secretVariables = {
  /**
   * Signs users' tokens: 32 characters or more, 8 if `HOST` is this machine alone.
   * @defaultValue required; the demo makes one
   */
  AUTH_SECRET: optional(text(/\S/, 'a secret')),
  /** A file that has the secret, such as a container's secret, read if `AUTH_SECRET` is not set. @defaultValue none */
  AUTH_SECRET_FILE: optional(text(/\S/, 'the path of a file')),
};

/**
 * The secret that signs users' tokens: `AUTH_SECRET`, or the content of the file that `AUTH_SECRET_FILE` names.
 * @throws ActivityError `invalidOption` where there is none, or one that can be guessed.
 */
export function authSecretFrom(variables: Variables, host: string): string {
  const given = readVariables(secretVariables, variables);
  const secret = given.AUTH_SECRET ?? secretInFile(given.AUTH_SECRET_FILE);
  const min = isOwnMachine(host) ? minLocalSecretLength : minSecretLength;
  if (secret !== undefined && secret.length >= min) return secret;
  throw variableFault('AUTH_SECRET', secret === undefined ? 'is not set' : 'is too short', secretOf(min));
}

/**
 * Secrets that can be guessed.
 * @throws ActivityError `invalidOption` where others than this machine can try the key.
 */
export function weaknessesOf(host: string, authSecret: string, apiKey: string | undefined): string[] {
  const isKeyWeak = apiKey !== undefined && apiKey.length < minKeyLength;
  if (isKeyWeak && !isOwnMachine(host)) throw variableFault('LAUREL_API_KEY', 'is too short', secretOf(minKeyLength));
  return [
    ...(authSecret.length < minSecretLength ? [`AUTH_SECRET is weak: ${secretOf(minSecretLength)}`] : []),
    ...(isKeyWeak ? [`LAUREL_API_KEY is weak: ${secretOf(minKeyLength)}`] : []),
  ];
}

function secretInFile(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    const advice = 'name a file that this user can read, with the secret as its content';
    throw variableError('AUTH_SECRET_FILE', file, advice);
  }
}

function isOwnMachine(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}

function secretOf(min: number): string {
  return `use ${min} characters or more that nobody can guess, e.g. from "openssl rand -base64 32"`;
}
