import { nameBreaches } from "./names.ts";
import { readProjectFiles } from "./project-files.ts";
import { proseBreaches } from "./prose.ts";
import { referenceBreaches } from "./references.ts";

const files = readProjectFiles();
const sources = new Map(
  [...files].flatMap(([path, text]) => (text !== null && isOwnSource(path) ? [[path, text]] : [])),
);
const breaches = [...nameBreaches(sources), ...proseBreaches(files), ...referenceBreaches(files)];

for (const { file, line, message } of breaches) console.log(`${file}:${line} ${message}`);
console.log(`names and references: ${files.size} files, breaches: ${breaches.length}`);
process.exitCode = breaches.length > 0 ? 1 : 0;

/** Whether a file contains TypeScript that is written by hand. */
function isOwnSource(path: string): boolean {
  return /\.tsx?$/.test(path) && !path.endsWith(".d.ts") && !path.endsWith("/generated.ts");
}
