/** An act of a person. `regret`: take a praise back. */
export type Act = 'read' | 'visit' | 'praise' | 'regret' | 'comment' | 'collect' | 'follow' | 'write';

/** How often each act is done, beside the others. */
export type Acts = Readonly<Partial<Record<Act, number>>>;

/** When and how people take part. */
export interface Habit {
  /** How likely it is that they come on a day, from Monday to Sunday. */
  readonly days: readonly [number, number, number, number, number, number, number];
  /** Between which hours they come, in the community's time zone, each as likely; 26 is two at night. */
  readonly hours: readonly (readonly [from: number, to: number])[];
  /** How much they do on such a day, on average. */
  readonly pace: number;
  readonly acts: Acts;
}

/** How often people keep to what they like best. */
export const faithfulness = 0.5;

const reads: Acts = { read: 20, visit: 4, praise: 20, regret: 2, comment: 10, collect: 8, follow: 2, write: 1.5 };

const throughTheDay = [
  [7, 9],
  [12, 13.5],
  [18, 22],
] as const;

/** The habits that people have. */
export const habits = {
  /** Before work, on most days. */
  early: { days: [0.8, 0.8, 0.7, 0.8, 0.8, 0.3, 0.2], hours: [[5.2, 8]], pace: 5, acts: reads },
  /** Every single day, a little. */
  daily: { days: [1, 1, 1, 1, 1, 1, 1], hours: throughTheDay, pace: 4, acts: { ...reads, comment: 16 } },
  /** Most days, and some much more than others. */
  keen: { days: [0.9, 0.8, 0.9, 0.9, 0.8, 0.5, 0.6], hours: throughTheDay, pace: 6, acts: { ...reads, comment: 16 } },
  /** In the breaks of a working day. */
  breaks: {
    days: [0.8, 0.75, 0.8, 0.7, 0.6, 0.1, 0.1],
    hours: [
      [9.5, 10.5],
      [12, 13.5],
      [15, 16.5],
    ],
    pace: 5,
    acts: reads,
  },
  /** On some evenings. */
  evening: { days: [0.5, 0.6, 0.5, 0.6, 0.4, 0.5, 0.6], hours: [[18.5, 23]], pace: 6, acts: reads },
  /** When all others sleep. */
  night: { days: [0.5, 0.5, 0.6, 0.5, 0.7, 0.8, 0.5], hours: [[24.2, 28.5]], pace: 7, acts: reads },
  /** On Saturdays and Sundays, and then for hours. */
  weekend: { days: [0.02, 0.02, 0.02, 0.02, 0.15, 0.9, 0.85], hours: [[9, 21]], pace: 12, acts: reads },
  /** An article a week, always on the same evening, and the answers to it. */
  weekly: {
    days: [0.1, 0.1, 0.1, 0.95, 0.3, 0.1, 0.1],
    hours: [[17, 21]],
    pace: 6,
    acts: { read: 10, praise: 10, comment: 30, collect: 3, write: 8 },
  },
  /** Has something to say about everything. */
  talker: {
    days: [0.7, 0.7, 0.7, 0.7, 0.7, 0.4, 0.4],
    hours: [
      [11, 14],
      [20, 23],
    ],
    pace: 7,
    acts: { read: 15, praise: 12, comment: 45, follow: 2, write: 1 },
  },
  /** Looks in now and then. */
  rare: { days: [0.12, 0.1, 0.15, 0.1, 0.1, 0.2, 0.2], hours: [[8, 22]], pace: 4, acts: reads },
  /** Writes for a few friends, and praises what they write, on most evenings. */
  friends: {
    days: [0.8, 0.8, 0.8, 0.8, 0.7, 0.7, 0.8],
    hours: [[18.5, 23]],
    pace: 6,
    acts: { read: 40, visit: 4, praise: 12, comment: 4, follow: 1, write: 8 },
  },
} as const satisfies Readonly<Record<string, Habit>>;

/** The name of a habit. */
export type HabitName = keyof typeof habits;
