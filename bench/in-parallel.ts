const atOnce = 16;

/** What `make` makes of 0, 1, 2 and so on, in no order. */
export async function inParallel<T>(
  count: number,
  make: (number: number) => Promise<T>,
): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const work = async () => {
    while (next < count) {
      const number = next;
      next += 1;
      results.push(await make(number));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return results;
}
