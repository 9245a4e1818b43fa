/** More than the largest file that an import reads, so that its refusals arrive too. */
const maxDiscardedBytes = 24 * 1024 * 1024;
/** How long the next part of a body is waited for, and how long all of it may take. */
const maxWaitMs = 2_000;
const maxDiscardMs = 10_000;

/**
 * Reads a body that the response did not need, up to 24 MiB or for 10 s. The runtime otherwise closes
 * the connection: a client that is still sending loses the response, or its next call fails.
 */
export async function discardUnreadBody({ body, bodyUsed, headers }: Request): Promise<void> {
  if (body === null || bodyUsed || body.locked) return;
  if (Number(headers.get("Content-Length") ?? 0) > maxDiscardedBytes) return;
  const reader = body.getReader();
  const cancel = () => void reader.cancel().catch(() => {});
  const readNext = async () => {
    const timer = setTimeout(cancel, maxWaitMs);
    return reader.read().finally(() => clearTimeout(timer));
  };
  const timer = setTimeout(cancel, maxDiscardMs);
  try {
    let discarded = 0;
    for (let next = await readNext(); !next.done; next = await readNext()) {
      discarded += next.value.byteLength;
      if (discarded > maxDiscardedBytes) {
        await reader.cancel();
        return;
      }
    }
  } catch {
    // The client has gone.
  } finally {
    clearTimeout(timer);
  }
}
