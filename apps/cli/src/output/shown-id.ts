/** Ids are anybody's: what a terminal would act upon is shown as JSON has it. */
export function shownId(id: string): string {
  return /[\p{C}\p{Z}]/u.test(id) ? JSON.stringify(id) : id;
}
