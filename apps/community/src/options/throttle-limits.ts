/** How many requests are taken from one user, address or name; more are answered 429, or, for a name, wait. */
export interface ThrottleLimits {
  /** Requests a minute to one instance: of a signed-in user, or else of an address. */
  readonly requestsPerMinute: number;
  /** Registrations and sign-ins of an address in ten minutes, on all instances together. */
  readonly signInsPerAddress: number;
  /** Registrations and wrong passwords for a name in fifteen minutes, on all instances together. */
  readonly triesPerName: number;
}

/** Generous: many people may share an address. */
export const defaultThrottleLimits: ThrottleLimits = {
  requestsPerMinute: 6_000,
  signInsPerAddress: 100,
  triesPerName: 10,
};
