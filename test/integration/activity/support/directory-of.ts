import { USER_DIRECTORY, type UserDirectory } from '@laurel/activity';
import { Module, type Type } from '@nestjs/common';

/** A module with an app's directory, as far as a test needs one. */
export function directoryOf(directory: Partial<UserDirectory>): Type {
  const useValue: UserDirectory = { find: () => Promise.resolve(new Map()), ...directory };
  @Module({ providers: [{ provide: USER_DIRECTORY, useValue }], exports: [USER_DIRECTORY] })
  class Directory {}
  return Directory;
}
