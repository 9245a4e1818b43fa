import { invalid } from "../../../shared/kernel/index.ts";
import type { RequestContext } from "../../http/context.ts";
import { isFormType, limitBytes, mebibyte, readForm, requireBody } from "./form-body.ts";

const formLimit = {
  maxBytes: 20 * mebibyte,
  message: "The file must be at most 20 MiB; split it.",
};
const streamLimit = {
  ...formLimit,
  message: `${formLimit.message} What was read before was imported.`,
};

/**
 * Reads the CSV file of a request. A CSV body is streamed. A form must contain exactly one file,
 * and is read into memory first.
 *
 * @throws Refusal VALIDATION_ERROR when the request has no CSV file.
 * @throws BodyTooLarge when Content-Length or the bytes that were read exceed 20 MiB.
 */
export async function readCsvFile(c: RequestContext): Promise<ReadableStream<Uint8Array>> {
  const type = c.req.header("content-type") ?? "";
  const isForm = isFormType(type);
  if (!isForm && !/^(?:text|application)\/csv\s*(?:;|$)/i.test(type)) {
    throw invalid("content-type", "must be text/csv or multipart/form-data");
  }
  const body = requireBody(c, formLimit);
  if (!isForm) return body.pipeThrough(limitBytes(streamLimit));
  const form = await readForm(c, body, formLimit);
  const files = [...form.values()].filter((value) => typeof value !== "string");
  const [file, second] = files;
  if (!file || second) throw invalid("file", "the form must contain exactly one file");
  return file.stream();
}
