export type SerialQueue = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Runs pieces of work one after the other, so that none changes what another decided on while that
 * waits for a database. The platform's input gates do not hold back calls during an await.
 */
export function createSerialQueue(): SerialQueue {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const run = last.then(work, work);
    last = run.catch(() => undefined); // its caller gets the error; the next piece of work runs anyway
    return run;
  };
}
