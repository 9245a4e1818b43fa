import { cpSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "./paths.ts";

const files = ["swagger-ui-bundle.js", "swagger-ui.css"] as const;

/** Copies Swagger UI beside the reference page, so that the page loads nothing from other hosts. */
export function copyApiReference(): void {
  const source = dirname(fileURLToPath(import.meta.resolve("swagger-ui-dist/package.json")));
  const target = join(root, "functions/front/site/reference");
  mkdirSync(target, { recursive: true });
  for (const file of files) cpSync(join(source, file), join(target, file));
}
