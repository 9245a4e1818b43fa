import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { build } from "vite";

const elements = resolve(import.meta.dirname, "../../functions/link/elements");

export const generatedElementsPath = join(elements, "generated.ts");

/** Builds the text of generated.ts: scripts and style of the embedded pages with their CSP hashes. */
export async function generateElements(): Promise<string> {
  const sources = {
    style: readFileSync(join(elements, "client/style.css"), "utf8"),
    auth: await bundleScript("auth"),
    account: await bundleScript("account"),
  };
  const lines = Object.entries(sources).map(
    ([name, text]) => `export const ${name} = ${JSON.stringify(withContentHash(text))};\n`,
  );
  return `// Made of client/ by \`npm run elements\`; edit those files instead.\n${lines.join("")}`;
}

function withContentHash(text: string): { text: string; hash: string } {
  if (/<\/(?:script|style)/i.test(text))
    throw new Error("The text contains a closing script or style tag.");
  return { text, hash: `sha256-${createHash("sha256").update(text).digest("base64")}` };
}

/** Bundles the script of a page with its imports. */
async function bundleScript(name: string): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: "warn",
    build: {
      write: false,
      target: "es2022",
      minify: true,
      lib: { entry: join(elements, `client/${name}.ts`), formats: ["iife"], name: "duka" },
    },
  });
  const [output, ...others] = [result]
    .flat()
    .flatMap((bundle) => ("output" in bundle ? bundle.output : []));
  if (output?.type !== "chunk" || others.length > 0) throw new Error(`${name} is not one script.`);
  return output.code.trim();
}
