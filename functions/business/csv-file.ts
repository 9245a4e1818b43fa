import { invalid } from "../../shared/kernel/index.ts";
import type { RequestContext } from "../http/api-env.ts";
import { BodyTooLarge } from "../http/errors.ts";

const maxFileBytes = 20 * 1024 * 1024;

/**
 * The file that a request brings, as a CSV body or as the one file of a form. A body is read as it
 * arrives; a form is held whole, as its end alone tells that it is one. Either ends at 20 MiB: with
 * a Content-Length over that nothing is read, else what was read before may have been taken in.
 */
export async function csvFileOf(c: RequestContext): Promise<ReadableStream<Uint8Array>> {
  const { body } = c.req.raw;
  const type = c.req.header("content-type") ?? "";
  const isForm = /^multipart\/form-data\s*;/i.test(type);
  if (!isForm && !/^(?:text|application)\/csv\s*(?:;|$)/i.test(type)) {
    throw invalid("content-type", "must be text/csv or multipart/form-data");
  }
  if (Number(c.req.header("content-length") ?? 0) > maxFileBytes) throw new BodyTooLarge(tooLarge);
  if (body === null) throw invalid("file", "is empty; a product CSV was expected");
  if (isForm) return fileOfForm(body.pipeThrough(atMost(maxFileBytes, tooLarge)), type);
  return body.pipeThrough(atMost(maxFileBytes, `${tooLarge} What was read before that went in.`));
}

const tooLarge = "The file is larger than 20 MiB; split it.";

function atMost(maxBytes: number, message: string): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes <= maxBytes) return controller.enqueue(chunk);
      throw new BodyTooLarge(message);
    },
  });
}

async function fileOfForm(
  body: ReadableStream<Uint8Array>,
  type: string,
): Promise<ReadableStream<Uint8Array>> {
  const form = await new Response(body, { headers: { "Content-Type": type } })
    .formData()
    .catch(notAForm);
  const files = [...form.values()].filter((value) => typeof value !== "string");
  const [file, second] = files;
  if (!file || second) throw invalid("file", "the form must hold one file");
  return file.stream();
}

function notAForm(error: unknown): never {
  if (error instanceof TypeError) throw invalid("file", "the body is not a form");
  throw error;
}
