const maxConcurrency = 16;

/**
 * Calls `create` with the numbers from 0. Returns the results in the order in which they completed.
 */
export async function runInParallel<T>(
  count: number,
  create: (number: number) => Promise<T>,
): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const work = async () => {
    while (next < count) {
      const number = next;
      next += 1;
      results.push(await create(number));
    }
  };
  await Promise.all(Array.from({ length: maxConcurrency }, work));
  return results;
}
