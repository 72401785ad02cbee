/** Sorts before every id. */
export const zeroUuid = '00000000-0000-0000-0000-000000000000';

/** Sorts before every row in the order `created_at, id`. */
export const startPosition = { createdAt: '-infinity', id: zeroUuid };
