import { invalid } from "../../../shared/kernel/index.ts";
import type { BodyLimit } from "../../http/bodies.ts";
import type { RequestContext } from "../../http/context.ts";
import { BodyTooLarge } from "../../http/errors.ts";

export const mebibyte = 1024 * 1024;

/** Whether a request sends a form with files. */
export const isFormType = (type: string): boolean => /^multipart\/form-data\s*;/i.test(type);

/**
 * The body of a request, which fails while it is read beyond the limit.
 *
 * @throws BodyTooLarge when Content-Length exceeds the limit.
 * @throws Refusal VALIDATION_ERROR without a body.
 */
export function requireBody(c: RequestContext, limit: BodyLimit): ReadableStream<Uint8Array> {
  const { body } = c.req.raw;
  if (Number(c.req.header("content-length") ?? 0) > limit.maxBytes)
    throw new BodyTooLarge(limit.message, limit.field);
  if (body === null) throw invalid("file", "is missing; send a file");
  return body;
}

/** Fails with BodyTooLarge after the limit's number of bytes. */
export function limitBytes({
  maxBytes,
  message,
  field,
}: BodyLimit): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes <= maxBytes) return controller.enqueue(chunk);
      throw new BodyTooLarge(message, field);
    },
  });
}

/**
 * Reads a form into memory.
 * @throws Refusal VALIDATION_ERROR for a body that is no form.
 */
export function readForm(
  c: RequestContext,
  body: ReadableStream<Uint8Array>,
  limit: BodyLimit,
): Promise<FormData> {
  return new Response(body.pipeThrough(limitBytes(limit)), {
    headers: { "Content-Type": c.req.header("content-type") ?? "" },
  })
    .formData()
    .catch(refuseInvalidForm);
}

function refuseInvalidForm(error: unknown): never {
  if (error instanceof TypeError) throw invalid("file", "the body is not a valid form");
  throw error;
}
