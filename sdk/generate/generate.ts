import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readDocuments } from "./operations.ts";
import { renderMethods } from "./render-methods.ts";
import { renderTypes } from "./render-types.ts";

// Writes src/generated from the OpenAPI documents: `npm run generate --workspace sdk`. With a folder
// as argument it writes there, so that `npm run check` can compare.

const folder = process.argv[2] ?? join(import.meta.dirname, "../src/generated");
mkdirSync(folder, { recursive: true });
const documents = await readDocuments();
const files = { ...(await renderTypes(documents)), ...renderMethods(documents) };
for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
