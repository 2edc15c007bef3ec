/** Six countries' gold, silver and bronze medals. */
export const medals = {
  A: [32, 21, 16],
  D: [14, 4, 16],
  C: [20, 7, 12],
  B: [25, 29, 21],
  E: [13, 21, 18],
  F: [13, 17, 14],
} as const;
