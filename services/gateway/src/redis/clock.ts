/** What Redis's clock reads, told from the last answer; a monotonic local clock carries it on. */
export type RedisClock = {
  now(): number;
  /** `startedAt` is when the call was sent: the answer's time lies between then and now. */
  learn(redisNowMs: number): void;
};

export function createRedisClock(): RedisClock {
  let offset = Date.now() - performance.now();
  return {
    now: () => performance.now() + offset,
    learn: (redisNowMs) => {
      offset = redisNowMs - performance.now();
    },
  };
}
