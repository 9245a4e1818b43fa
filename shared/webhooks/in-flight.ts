/** A set of running promises, which collects their results. */
type InFlight<T> = Readonly<{
  add: (work: Promise<T>) => void;
  count: () => number;
  /** Returns the results that were not returned by an earlier call. */
  takeCompleted: () => T[];
  /** Waits until there is a result and at most `limit` promises are running. */
  waitUntilAtMost: (limit: number) => Promise<void>;
  /**
   * Whether all promises have completed and all results were returned.
   *
   * @throws the first error, once all promises have completed.
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
        // A single shared promise is awaited, because repeated calls of Promise.race would add more
        // and more handlers to every running promise.
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
