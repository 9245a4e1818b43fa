import { cpSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "./places.ts";

const files = ["swagger-ui-bundle.js", "swagger-ui.css"] as const;

/** Puts the API reference's script beside its page: it is served by us, from no other host. */
export function fillReference(): void {
  const source = dirname(fileURLToPath(import.meta.resolve("swagger-ui-dist/package.json")));
  const target = join(root, "functions/front/site/reference");
  mkdirSync(target, { recursive: true });
  for (const file of files) cpSync(join(source, file), join(target, file));
}
