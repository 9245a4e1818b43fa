/** A statement that must succeed before any other statement runs on a database. */
export type BatchPrecondition = Readonly<{
  sql: string;
  params: readonly unknown[];
  /** Called when the statement and its batch succeeded. */
  onPassed: () => void;
  /** Returns the refusal when the precondition failed; null when the error has another cause. */
  refusalFor: (error: unknown) => Promise<Error | null>;
}>;

/**
 * Runs a batch. `send` receives the guard's statements, which must come first in the batch. The
 * result contains only the results of the caller's statements.
 */
export type BatchGuard = (
  source: Pick<D1Database, "prepare">,
  send: (ahead: readonly D1PreparedStatement[]) => Promise<D1Result[]>,
) => Promise<D1Result[]>;

/**
 * Runs the precondition at the start of the first batch and in its transaction, so no round trip is
 * added. When the precondition fails, all batches fail. When the first batch fails for another
 * reason, the next batch includes the precondition again.
 */
export function createBatchGuard({
  sql,
  params,
  onPassed,
  refusalFor,
}: BatchPrecondition): BatchGuard {
  let firstBatch: Promise<unknown> | null = null;

  async function runFirst(...[source, send]: Parameters<BatchGuard>): Promise<D1Result[]> {
    try {
      const [, ...results] = await send([source.prepare(sql).bind(...params)]);
      onPassed();
      return results;
    } catch (error) {
      const refusal = await refusalFor(error);
      if (refusal) throw refusal;
      firstBatch = null;
      throw error;
    }
  }

  return async function runGuarded(source, send) {
    if (firstBatch === null) {
      const batch = runFirst(source, send);
      firstBatch = batch;
      return batch;
    }
    await firstBatch;
    return send([]);
  };
}
