/** What happened between two looks at a board: who earned points, who lost some, who is new on it. */
export function movementsBetween(before, after) {
  const known = new Map(before.entries.map((entry) => [entry.userId, entry]));
  // Below the last line that was shown, nobody can tell whether someone is new.
  const sawAll = before.entries.length === before.total;
  return after.entries.flatMap((entry) => {
    const old = known.get(entry.userId);
    if (!old && !sawAll) return [];
    const points = entry.score - (old?.score ?? 0);
    if (points === 0) return [];
    return [
      {
        userId: entry.userId,
        name: nameOf(entry),
        user: entry.user,
        points,
        rank: entry.rank,
        climbed: old ? old.rank - entry.rank : 0,
      },
    ];
  });
}

/** How a user is called: his id where no profile is known. */
export function nameOf({ user, userId }) {
  return user?.name ?? `User ${userId}`;
}
