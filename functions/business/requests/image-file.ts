import { invalid } from "../../../shared/kernel/index.ts";
import {
  type ImageFile,
  maxImageBytes,
  requireImage,
} from "../../../shared/product-images/index.ts";
import type { RequestContext } from "../../http/context.ts";
import { BodyTooLarge } from "../../http/errors.ts";
import { isFormType, mebibyte, readForm, requireBody } from "./form-body.ts";

const tooLarge = {
  message: `The image must be at most ${maxImageBytes / mebibyte} MiB; send a smaller one.`,
  field: "file",
};

/** A form also has a boundary and headers for each part. */
const formLimit = { ...tooLarge, maxBytes: maxImageBytes + mebibyte / 16 };

const fieldNames: readonly string[] = ["file", "is_primary"];

/** The image of a request's form, and whether it becomes the primary one. */
export type ImageForm = Readonly<{ file: ImageFile; isPrimary: boolean }>;

/**
 * Describes the form in the OpenAPI document only. With a zod schema, the whole form would be
 * parsed before the handler runs.
 */
export const imageFormSchema = {
  type: "object" as const,
  required: ["file"],
  properties: {
    file: { type: "string" as const, format: "binary" },
    is_primary: { type: "boolean" as const, default: false },
  },
};

/**
 * Reads the form of an image.
 *
 * @throws Refusal VALIDATION_ERROR naming the field, also for a file that is no image.
 * @throws BodyTooLarge for an image above the limit.
 */
export async function readImageForm(c: RequestContext): Promise<ImageForm> {
  if (!isFormType(c.req.header("content-type") ?? ""))
    throw invalid("content-type", "must be multipart/form-data");
  const form = await readForm(c, requireBody(c, formLimit), formLimit);
  const unknownName = [...form.keys()].find((name) => !fieldNames.includes(name));
  if (unknownName !== undefined)
    throw invalid(unknownName, `is not a known field; the known ones are ${fieldNames.join(", ")}`);
  const [file, second] = form.getAll("file");
  if (file === undefined) throw invalid("file", "is missing; send the image in this field");
  if (second !== undefined) throw invalid("file", "must be one image; send each in its own call");
  if (typeof file === "string") throw invalid("file", "must be a file, not text");
  if (file.size > maxImageBytes) throw new BodyTooLarge(tooLarge.message, tooLarge.field);
  return { file: await requireImage(file), isPrimary: readFlag(form, "is_primary") };
}

function readFlag(form: FormData, name: string): boolean {
  const [value = "false", second] = form.getAll(name);
  if (second !== undefined || (value !== "true" && value !== "false"))
    throw invalid(name, "must be true or false");
  return value === "true";
}
