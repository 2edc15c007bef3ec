import type { ValueProvider } from '@nestjs/common';

/** Injects a function that tells the version of the rules in force. */
export const RULES_VERSION = Symbol('RULES_VERSION');

/** There is one version of the rules. */
export const rulesVersionProvider: ValueProvider<() => number> = { provide: RULES_VERSION, useValue: () => 1 };
