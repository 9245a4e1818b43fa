/** What has to hold before anything is asked of a database, as a statement that fails where it does not. */
export type Condition = Readonly<{
  sql: string;
  params: readonly unknown[];
  /** It held, and what came with it was done. */
  onHeld: () => void;
  /** What everything is refused with where the condition failed; null where the error is another's. */
  refusalFor: (error: unknown) => Promise<Error | null>;
}>;

/**
 * Sends the batch, at first with the condition ahead of it; `send` is given what goes ahead. Answers
 * without the condition's own result.
 */
export type Gate = (
  source: Pick<D1Database, "prepare">,
  send: (ahead: readonly D1PreparedStatement[]) => Promise<D1Result[]>,
) => Promise<D1Result[]>;

/**
 * A gate that a condition opens: it travels at the head of the first batch, which is one transaction
 * with it, and so costs no round trip of its own. Where it fails, nothing is asked after it either.
 * When that batch fails for another reason the condition was undone with it, and goes with the next.
 */
export function gateOf({ sql, params, onHeld, refusalFor }: Condition): Gate {
  let opened: Promise<unknown> | null = null;

  async function first(...[source, send]: Parameters<Gate>): Promise<D1Result[]> {
    try {
      const [, ...results] = await send([source.prepare(sql).bind(...params)]);
      onHeld();
      return results;
    } catch (error) {
      const refusal = await refusalFor(error);
      if (refusal) throw refusal;
      opened = null;
      throw error;
    }
  }

  return async function pass(source, send) {
    if (opened === null) {
      const sent = first(source, send);
      opened = sent;
      return sent;
    }
    await opened;
    return send([]);
  };
}
