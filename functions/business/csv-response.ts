import { createRoute, z } from "@hono/zod-openapi";
import type { RequestContext } from "../http/context.ts";
import { route } from "../http/contract.ts";

export const csvContent = { "text/csv": { schema: z.string() } };

/** A GET endpoint that responds with a CSV file. The options are those of `route`. */
export const csvRoute = <P extends string, O extends CsvRouteOptions>(path: P, options: O) =>
  createRoute({
    ...route("get", path, { ...options, response: z.string() }),
    responses: {
      200: { description: options.summary, content: csvContent },
    },
  });

type CsvRouteOptions = Omit<Parameters<typeof route>[2], "response" | "status" | "idempotency">;

/** Responds with a CSV file whose chunks are produced while it is sent. */
export const sendCsv = (c: RequestContext, filename: string, chunks: AsyncIterable<string>) =>
  sendChunks(c, encodeChunks(chunks), {
    "Content-Type": "text/csv; charset=utf-8",
    "Content-Disposition": `attachment; filename="${filename}"`,
  });

async function* encodeChunks(chunks: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const chunk of chunks) yield encoder.encode(chunk);
}

/**
 * Responds with a file whose chunks are produced while it is sent. The first chunk is awaited, so
 * that a database that does not answer is a 503 and not half a file.
 */
export async function sendChunks(
  c: RequestContext,
  chunks: AsyncIterable<Uint8Array>,
  headers: Readonly<Record<string, string>>,
) {
  const iterator = chunks[Symbol.asyncIterator]();
  const first = await iterator.next();
  return c.body(toStream(first, iterator), 200, headers);
}

/** A response body that takes each chunk when the client is ready for it. */
function toStream(
  first: IteratorResult<Uint8Array>,
  iterator: AsyncIterator<Uint8Array>,
): ReadableStream<Uint8Array> {
  let next: IteratorResult<Uint8Array> | null = first;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = next ?? (await iterator.next());
      next = null;
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}
