/** D1 allows an invocation 1,000 queries, and counts every statement of a batch. */
const maxQueries = 1_000;
/** For what follows a run's last batch: ending its lease, and the queries of records under way. */
const reservedQueries = 20;

/**
 * Counts the D1 queries of an invocation, so that its jobs stop before D1 refuses one. Cloudflare
 * limits the calls of objects in the same way.
 */
export type QueryBudget = Readonly<{
  /** The same database; its statements count. */
  count: (database: D1Database) => D1Database;
  /** Counts a call of a Durable Object. */
  countCall: () => void;
  remaining: () => number;
}>;

export function createQueryBudget(): QueryBudget {
  let queries = 0;
  return {
    count: (database) =>
      ({
        prepare: (query: string) => {
          queries += 1;
          return database.prepare(query);
        },
        batch: database.batch.bind(database),
      }) as unknown as D1Database, // safe: openDb calls prepare and batch, and nothing else
    countCall: () => {
      queries += 1;
    },
    remaining: () => maxQueries - reservedQueries - queries,
  };
}
