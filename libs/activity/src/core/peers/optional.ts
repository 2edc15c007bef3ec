/**
 * A package that an app may leave out, if it is installed. `load` requires it by its literal name, as bundlers want it.
 */
export function optional<Package>(load: () => Package): Package | undefined {
  try {
    return load();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}
