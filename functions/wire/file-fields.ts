import { z } from "@hono/zod-openapi";
import { isSafePath } from "../../shared/uploads/index.ts";
import { name, text } from "./fields.ts";

/** The name of a shopper's file, which is shown but never used as a path. */
export const filename = () => name(500);

const pathRule = "must not contain .., a backslash, a newline or a name that is a dot";

export const assetFilename = () => name(500).refine(isSafePath, pathRule);
export const assetFolder = () => text(200).refine(isSafePath, pathRule);

/** What a browser calls the file's type. It is empty for a file that the browser does not know. */
export const contentType = () =>
  text(255).refine((type) => !/[\n\t]/.test(type), "must not contain line breaks or tabs");

export const sizeBytes = (min: number, max: number) => z.number().int().min(min).max(max);
