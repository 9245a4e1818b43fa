export type Serial = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Does one piece of work after the other: while one waits for a database, no other may change what
 * it decided on. (Input gates hold back nothing while an object awaits a call.)
 */
export function serial(): Serial {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const run = last.then(work, work);
    last = run.catch(() => undefined); // its caller hears of it; the next in line does not care
    return run;
  };
}
