/** The boards of every community, until the server said which there are. */
export const usualBoards = ['day', 'week', 'month', 'all'] as const;

/** The board of the first page. */
export const firstBoard = 'day';

/** The usual boards whose periods end, so that there are past places on them. */
export const endingBoards = usualBoards.filter((name) => name !== 'all');
