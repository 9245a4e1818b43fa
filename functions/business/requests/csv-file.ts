import { invalid } from "../../../shared/kernel/index.ts";
import type { RequestContext } from "../../http/context.ts";
import { BodyTooLarge } from "../../http/errors.ts";

const maxFileBytes = 20 * 1024 * 1024;

/**
 * Reads the CSV file of a request. A CSV body is streamed. A form must contain exactly one file,
 * and is read into memory first.
 *
 * @throws Refusal VALIDATION_ERROR when the request has no CSV file.
 * @throws BodyTooLarge when Content-Length or the bytes that were read exceed 20 MiB.
 */
export async function readCsvFile(c: RequestContext): Promise<ReadableStream<Uint8Array>> {
  const { body } = c.req.raw;
  const type = c.req.header("content-type") ?? "";
  const isForm = /^multipart\/form-data\s*;/i.test(type);
  if (!isForm && !/^(?:text|application)\/csv\s*(?:;|$)/i.test(type)) {
    throw invalid("content-type", "must be text/csv or multipart/form-data");
  }
  if (Number(c.req.header("content-length") ?? 0) > maxFileBytes)
    throw new BodyTooLarge(tooLargeMessage);
  if (body === null) throw invalid("file", "is empty; send a product CSV");
  if (isForm)
    return readFormFile(body.pipeThrough(limitBytes(maxFileBytes, tooLargeMessage)), type);
  return body.pipeThrough(
    limitBytes(maxFileBytes, `${tooLargeMessage} What was read before was imported.`),
  );
}

const tooLargeMessage = "The file must be at most 20 MiB; split it.";

function limitBytes(maxBytes: number, message: string): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes <= maxBytes) return controller.enqueue(chunk);
      throw new BodyTooLarge(message);
    },
  });
}

async function readFormFile(
  body: ReadableStream<Uint8Array>,
  type: string,
): Promise<ReadableStream<Uint8Array>> {
  const form = await new Response(body, { headers: { "Content-Type": type } })
    .formData()
    .catch(refuseInvalidForm);
  const files = [...form.values()].filter((value) => typeof value !== "string");
  const [file, second] = files;
  if (!file || second) throw invalid("file", "the form must contain exactly one file");
  return file.stream();
}

function refuseInvalidForm(error: unknown): never {
  if (error instanceof TypeError) throw invalid("file", "the body is not a valid form");
  throw error;
}
