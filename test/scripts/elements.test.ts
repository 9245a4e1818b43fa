import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { generatedElementsPath, generateElements } from "../../scripts/elements/generate.ts";

it("generated.ts is up to date with the sources that `npm run elements` bundles", async () => {
  expect(readFileSync(generatedElementsPath, "utf8")).toBe(await generateElements());
});
