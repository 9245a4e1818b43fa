import { writeFileSync } from "node:fs";
import { generatedElementsPath, generateElements } from "./elements/generate.ts";

// Bundles the scripts and the style of the embedded Link pages: `npm run elements`.
writeFileSync(generatedElementsPath, await generateElements());
console.log(`Wrote ${generatedElementsPath}.`);
