import { z } from "@hono/zod-openapi";
import { isMediaType, isPathText } from "../../shared/uploads/index.ts";
import { name, text } from "./fields.ts";

/** What a shopper's file is called: shown, and never a path. */
export const filename = () => name(500);

const pathRule = "must not contain .., a backslash, a newline or a name that is a dot";

/** interface.md, POST /assets/init. */
export const assetFilename = () => name(500).refine(isPathText, pathRule);
export const assetFolder = () => text(200).refine(isPathText, pathRule);

export const contentType = () =>
  z.string().max(255).refine(isMediaType, "must be a media type such as image/png");

export const sizeBytes = (min: number, max: number) => z.number().int().min(min).max(max);
