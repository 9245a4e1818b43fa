import { writeFileSync } from "node:fs";
import { generatedFile, generatedPath } from "./elements/generate.ts";

writeFileSync(generatedPath, await generatedFile());
console.log(`Wrote ${generatedPath}.`);
