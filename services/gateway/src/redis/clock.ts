/** Estimates the clock of Redis from its last reply and a monotonic local clock. Milliseconds since the epoch. */
export type RedisClock = {
  now(): number;
  /** Sets the clock from the time in a reply that has just arrived. */
  sync(redisNowMs: number): void;
};

export function createRedisClock(): RedisClock {
  let offset = Date.now() - performance.now();
  return {
    now: () => performance.now() + offset,
    sync: (redisNowMs) => {
      offset = redisNowMs - performance.now();
    },
  };
}
