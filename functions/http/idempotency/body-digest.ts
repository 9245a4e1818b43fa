/** A body that is digested while it is read. */
export type DigestedBody = Readonly<{
  body: ReadableStream<Uint8Array>;
  /** The SHA-256 of the body; null unless it was read to its end. */
  digest: () => Promise<string | null>;
}>;

/**
 * Digests a body while it streams, so that a large file is never in memory as a whole. The boundary
 * of a multipart form is left out, because it differs at every attempt.
 */
export function digestBody(
  body: ReadableStream<Uint8Array>,
  contentType: string | undefined,
): DigestedBody {
  const hash = new crypto.DigestStream("SHA-256");
  const writer = hash.getWriter();
  const withoutBoundary = createBoundaryFilter(boundaryOf(contentType ?? ""));
  let isComplete = false;
  const tap = new TransformStream<Uint8Array, Uint8Array>({
    async transform(chunk, controller) {
      await writer.write(withoutBoundary(chunk));
      controller.enqueue(chunk);
    },
    async flush() {
      await writer.write(withoutBoundary(null));
      await writer.close();
      isComplete = true;
    },
  });
  return {
    body: body.pipeThrough(tap),
    digest: async () => (isComplete ? toHex(await hash.digest) : null),
  };
}

/** Reads a body to its end and returns its digest. */
export async function readDigest(
  body: ReadableStream<Uint8Array>,
  contentType: string | undefined,
): Promise<string | null> {
  const digested = digestBody(body, contentType);
  await digested.body.pipeTo(new WritableStream());
  return digested.digest();
}

const boundaryOf = (contentType: string): string | null =>
  /^multipart\/[^;]*;.*?\bboundary="?([^";]+)/i.exec(contentType)?.[1] ?? null;

/**
 * Returns a function that removes a boundary from consecutive chunks, wherever they are cut. It
 * takes null at the end, to return what it has held back.
 */
function createBoundaryFilter(
  boundary: string | null,
): (chunk: Uint8Array | null) => Uint8Array<ArrayBufferLike> {
  if (boundary === null) return (chunk) => chunk ?? new Uint8Array();
  const encoder = new TextEncoder();
  let rest = "";
  return (chunk) => {
    // One character for each byte, so that bytes which are no UTF-8 stay distinct.
    const parts = (rest + new TextDecoder("latin1").decode(chunk ?? undefined)).split(boundary);
    const last = parts.pop() ?? "";
    const heldBack = chunk === null ? 0 : Math.min(last.length, boundary.length - 1);
    rest = last.slice(last.length - heldBack);
    return encoder.encode(parts.join("") + last.slice(0, last.length - heldBack));
  };
}

const toHex = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
