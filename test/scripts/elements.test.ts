import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { generatedFile, generatedPath } from "../../scripts/elements/generate.ts";

it("the frames' generated file is what `npm run elements` makes of their sources", async () => {
  expect(readFileSync(generatedPath, "utf8")).toBe(await generatedFile());
});
