/** Promises that run concurrently; their results are collected as they complete. */
type InFlight<T> = Readonly<{
  add: (work: Promise<T>) => void;
  count: () => number;
  /** The results that completed since the last call. */
  takeCompleted: () => T[];
  /** Waits until a result is ready and at most `limit` promises still run. */
  waitUntilAtMost: (limit: number) => Promise<void>;
  /**
   * Whether everything has completed and every result was taken.
   *
   * @throws the first error, once everything has completed.
   */
  isDrained: () => boolean;
  hasFailed: () => boolean;
}>;

export function createInFlight<T>(): InFlight<T> {
  const completed: T[] = [];
  const failures: unknown[] = [];
  let running = 0;
  let nextCompletion = Promise.withResolvers<void>();

  return {
    add(work) {
      running += 1;
      work
        .then(
          (result) => completed.push(result),
          (error) => failures.push(error),
        )
        .then(() => {
          running -= 1;
          nextCompletion.resolve();
        });
    },
    count: () => running,
    takeCompleted: () => completed.splice(0),
    async waitUntilAtMost(limit) {
      while (running > limit || (completed.length === 0 && running > 0)) {
        // Promise.race over all of them would add a handler to each one on every turn.
        nextCompletion = Promise.withResolvers();
        await nextCompletion.promise;
      }
    },
    isDrained() {
      if (running > 0 || completed.length > 0) return false;
      if (failures.length > 0) throw failures[0];
      return true;
    },
    hasFailed: () => failures.length > 0,
  };
}
