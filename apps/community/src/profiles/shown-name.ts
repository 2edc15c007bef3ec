/** Invisible characters, except those that join or part letters or make one picture of several. */
const unseen = /(?!\u200c|\u200d|\ufe0e|\ufe0f|[\u{e0020}-\u{e007f}])\p{Default_Ignorable_Code_Point}/gu;

/** A name as it is stored and shown: composed, without what nobody sees, its words parted by single spaces. */
export function shownName(typed: string): string {
  return typed
    .normalize('NFC')
    .replace(unseen, '')
    .replace(/\p{Zs}+/gu, ' ')
    .trim();
}
