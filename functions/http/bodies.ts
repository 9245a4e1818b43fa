import type { Context, MiddlewareHandler, TypedResponse } from "hono";
import type { JSONParsed } from "hono/utils/types";
import { invalid, second } from "../../shared/kernel/index.ts";
import { runtime } from "../runtime/runtime.ts";
import type { ApiEnv, RequestContext } from "./context.ts";
import { BodyTooLarge, BodyTooSlow } from "./errors.ts";

/** How long a call waits for its body in all (docs/contract/conventions.md#body-time). */
const maxBodyWaitMs = 30 * second;

/** The largest body of a call, and how its refusal names the body. */
export type BodyLimit = Readonly<{ maxBytes: number; message: string; field?: string }>;

type BodyReader = Readonly<{
  /** @throws BodyTooSlow when the reads have waited too long in all. */
  read: () => Promise<ReadableStreamReadResult<Uint8Array>>;
  cancel: (reason: unknown) => void;
}>;

/**
 * Reads a body and adds up the time in which the sender is waited for. The time that the service
 * needs between the reads does not count, because an import writes what it has read.
 */
function createReader(body: ReadableStream<Uint8Array>): BodyReader {
  const reader = body.getReader();
  const cancel = (reason: unknown) => void reader.cancel(reason).catch(() => {});
  let remainingMs = maxBodyWaitMs;
  return {
    cancel,
    async read() {
      const startedAt = runtime.now();
      const { promise: tooSlow, reject } = Promise.withResolvers<never>();
      const timer = setTimeout(() => reject(new BodyTooSlow()), remainingMs);
      try {
        return await Promise.race([reader.read(), tooSlow]);
      } catch (error) {
        cancel(error);
        throw error;
      } finally {
        clearTimeout(timer);
        remainingMs = Math.max(remainingMs - (runtime.now() - startedAt), 0);
      }
    },
  };
}

/**
 * Reads a whole body into memory.
 *
 * @throws BodyTooLarge, BodyTooSlow. The sender's stream is cancelled then.
 */
async function readBody(
  body: ReadableStream<Uint8Array>,
  { maxBytes, message, field }: BodyLimit,
): Promise<Uint8Array<ArrayBuffer>> {
  const reader = createReader(body);
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    length += next.value.byteLength;
    if (length > maxBytes) {
      const error = new BodyTooLarge(message, field);
      reader.cancel(error);
      throw error;
    }
    chunks.push(next.value);
  }
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}

/** Reads the body before the handler does, within the limits of size and time. */
export const receiveBody = (limit: BodyLimit): MiddlewareHandler<ApiEnv> =>
  async function receiveBody(c, next) {
    const { raw } = c.req;
    if (raw.body === null) return next();
    if (Number(c.req.header("content-length") ?? 0) > limit.maxBytes)
      throw new BodyTooLarge(limit.message, limit.field);
    c.req.raw = new Request(raw, { body: await readBody(raw.body, limit) });
    return next();
  };

/** Lets the handler stream the body, which fails with BodyTooSlow when its sender is too slow. */
export const limitBodyTime: MiddlewareHandler<ApiEnv> = async function limitBodyTime(c, next) {
  const { raw } = c.req;
  if (raw.body !== null) {
    const { read, cancel } = createReader(raw.body);
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        const { done, value } = await read();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel,
    });
    c.req.raw = new Request(raw, { body });
  }
  return next();
};

export const maxJsonBytes = 1024 * 1024;

/** Reads a JSON body before the handler does. */
const receiveJson = receiveBody({
  maxBytes: maxJsonBytes,
  message: "The body is larger than 1 MiB.",
});

/**
 * Refuses a body that is not JSON, is larger than 1 MiB or does not arrive in time. A request
 * without a body passes, because the route's schema checks for missing fields.
 */
export const acceptJsonBody: MiddlewareHandler<ApiEnv> = async function jsonBody(c, next) {
  if (!hasBody(c)) {
    if (c.req.header("content-type") !== undefined) c.req.raw = withoutContentType(c.req.raw);
    return next();
  }
  if (!isJsonRequest(c)) throw invalid("content-type", "must be application/json");
  return receiveJson(c, next);
};

/** Whether the Content-Type of the request is JSON. */
export const isJsonRequest = ({ req }: RequestContext): boolean =>
  /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(req.header("content-type") ?? "");

function withoutContentType(request: Request): Request {
  const headers = new Headers(request.headers);
  headers.delete("content-type");
  return new Request(request, { headers });
}

function hasBody(c: Context): boolean {
  if (c.req.method === "GET" || c.req.method === "HEAD") return false;
  return c.req.raw.body !== null && c.req.header("content-length") !== "0";
}

export type EnvelopeResponse<T> = TypedResponse<
  JSONParsed<{ success: true; data: T }>,
  200,
  "json"
>;

/** A part of a JSON text, as a string or as UTF-8 bytes. */
export type JsonChunk = string | Uint8Array;

/**
 * Responds with text that is already JSON. The caller guarantees that this text is a serialised T.
 */
export const respondWithJsonChunks = <T>(
  c: RequestContext,
  ...data: readonly JsonChunk[]
): EnvelopeResponse<T> =>
  asEnvelopeResponse(
    c.body(joinJsonChunks(['{"success":true,"data":', ...data, "}"]), 200, {
      "Content-Type": "application/json",
    }),
  );

const encoder = new TextEncoder();

/** Joins the chunks by copying bytes. Concatenating and encoding long strings would be slower. */
export function joinJsonChunks(chunks: readonly JsonChunk[]): Uint8Array<ArrayBuffer> {
  const encoded = chunks.map((chunk) =>
    typeof chunk === "string" ? encoder.encode(chunk) : chunk,
  );
  const joined = new Uint8Array(encoded.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const chunk of encoded) {
    joined.set(chunk, offset);
    offset += chunk.length;
  }
  return joined;
}

// Safe: the caller serialised the response's text from an enveloped T.
export const asEnvelopeResponse = <T>(response: Response) =>
  response as unknown as EnvelopeResponse<T>;
