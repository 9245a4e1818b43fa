/** A statement that must succeed before anything else runs on a database. */
export type BatchPrecondition = Readonly<{
  sql: string;
  params: readonly unknown[];
  /** Called when the statement and its batch succeeded. */
  onPassed: () => void;
  /** The refusal when the statement failed; null when the error has another cause. */
  refusalFor: (error: unknown) => Promise<Error | null>;
}>;

/**
 * Runs a batch; `send` gets the statements to put at its head. Returns the results without those of
 * the guard.
 */
export type BatchGuard = (
  source: Pick<D1Database, "prepare">,
  send: (ahead: readonly D1PreparedStatement[]) => Promise<D1Result[]>,
) => Promise<D1Result[]>;

/**
 * Runs the precondition at the head of the first batch, in the same transaction, so that it needs
 * no round trip of its own. When it fails, nothing runs afterwards; when the batch fails for
 * another reason, the next batch repeats it.
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
