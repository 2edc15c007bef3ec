import { compare, hash } from 'bcryptjs';

/** 2^10 rounds: some 60 ms, a guess a moment for who stole the table, nothing for who signs in. */
const cost = 10;

/** The hash of a password that nobody has: what a wrong name is compared with. */
const nobodysHash = hash('', cost);

/** A hash to store. It is salted: two users of one password have different ones. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, cost);
}

/** Whether it is the password. Takes as long where there is no such user (`undefined`): time must not tell. */
export async function isPassword(password: string, stored: string | undefined): Promise<boolean> {
  const isRight = await compare(password, stored ?? (await nobodysHash));
  return isRight && stored !== undefined;
}
