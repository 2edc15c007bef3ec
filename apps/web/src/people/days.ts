const dayMs = 86_400_000;

/** A day and what came of it. */
export interface DayOfPoints {
  readonly date: string;
  readonly points: number;
}

/** The day so many days after another. */
export function dayAfter(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}

/** 0 for Monday to 6 for Sunday. */
export function weekdayOf(date: string): number {
  return (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7;
}

/** Every day from one to another, with its points: days without any are 0. */
export function everyDay(
  { from, to }: { readonly from: string; readonly to: string },
  known: readonly { readonly period: string; readonly points: number }[],
): DayOfPoints[] {
  const points = new Map(known.map((day) => [day.period, day.points]));
  const days: DayOfPoints[] = [];
  for (let date = from; date <= to; date = dayAfter(date, 1)) days.push({ date, points: points.get(date) ?? 0 });
  return days;
}
