/** The part of playwright-core that compares pictures for @playwright/test. */
declare module 'playwright-core/lib/coreBundle' {
  export const utils: {
    getComparator(
      type: 'image/webp',
    ): (
      actual: Buffer,
      expected: Buffer,
      options: { readonly threshold: number; readonly maxDiffPixels: number },
    ) => { readonly errorMessage: string; readonly diff?: Buffer } | null;
  };
}
