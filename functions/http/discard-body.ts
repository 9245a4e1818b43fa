/** More than the largest body that a call reads whole. */
const maxDiscardedBytes = 2 * 1024 * 1024;
const maxDiscardMs = 2_000;

/**
 * Reads a body that the response did not need, up to 2 MiB or for 2 s. The runtime otherwise closes
 * the connection after the response, and the client's next call on it fails.
 */
export async function discardUnreadBody({ body, bodyUsed }: Request): Promise<void> {
  if (body === null || bodyUsed || body.locked) return;
  const reader = body.getReader();
  const timer = setTimeout(() => void reader.cancel().catch(() => {}), maxDiscardMs);
  try {
    let discarded = 0;
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
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
