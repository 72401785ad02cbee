/** Sorts before every id. */
export const zeroUuid = '00000000-0000-0000-0000-000000000000';

/** Sorts before every row in the order `created_at, id`. */
export const startPosition = { createdAt: '-infinity', id: zeroUuid };

/** Sorts after every row in the order `created_at, id`: the start of a list with the newest row first. */
export const endPosition = { createdAt: 'infinity', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };
