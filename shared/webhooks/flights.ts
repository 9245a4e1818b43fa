/** Works under way side by side; what comes of them is picked up as they land. */
type Flights<T> = Readonly<{
  start: (work: Promise<T>) => void;
  underWay: () => number;
  /** What has landed since it was last asked. */
  landed: () => T[];
  /** Waits until something has landed and at most so many are left. */
  untilLeft: (most: number) => Promise<void>;
  /**
   * Whether nothing is under way any more, nor left to pick up.
   *
   * @throws what the first work that failed threw, once all have landed.
   */
  areOver: () => boolean;
  hasFailed: () => boolean;
}>;

export function flightsOf<T>(): Flights<T> {
  const landed: T[] = [];
  const failures: unknown[] = [];
  let underWay = 0;
  let landing = Promise.withResolvers<void>();

  const land = () => {
    underWay -= 1;
    landing.resolve();
  };

  return {
    start(work) {
      underWay += 1;
      work
        .then(
          (result) => landed.push(result),
          (error) => failures.push(error),
        )
        .then(land);
    },
    underWay: () => underWay,
    landed: () => landed.splice(0),
    async untilLeft(most) {
      while (underWay > most || (landed.length === 0 && underWay > 0)) {
        // Not a race of all of them: each race would leave its mark on every one that goes on.
        landing = Promise.withResolvers();
        await landing.promise;
      }
    },
    areOver() {
      if (underWay > 0 || landed.length > 0) return false;
      if (failures.length > 0) throw failures[0];
      return true;
    },
    hasFailed: () => failures.length > 0,
  };
}
