import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { build } from "vite";

const elements = resolve(import.meta.dirname, "../../functions/link/elements");

export const generatedPath = join(elements, "generated.ts");

/** The text of generated.ts: the frames' scripts and style as strings, each with its CSP hash. */
export async function generatedFile(): Promise<string> {
  const pieces = {
    style: readFileSync(join(elements, "client/style.css"), "utf8"),
    auth: await bundled("auth"),
    account: await bundled("account"),
  };
  const lines = Object.entries(pieces).map(
    ([name, text]) => `export const ${name} = ${JSON.stringify(pieceOf(text))};\n`,
  );
  return `// Made of client/ by \`npm run elements\`; edit those files instead.\n${lines.join("")}`;
}

function pieceOf(text: string): { text: string; hash: string } {
  if (/<\/s(cript|tyle)/i.test(text)) throw new Error("The text would end its own element.");
  return { text, hash: `sha256-${createHash("sha256").update(text).digest("base64")}` };
}

/** One script of a page with all that it imports. */
async function bundled(name: string): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: "warn",
    build: {
      write: false,
      target: "es2022",
      minify: true,
      lib: { entry: join(elements, `client/${name}.ts`), formats: ["iife"], name: "duka" },
    },
  });
  const [output, ...others] = [built].flat().flatMap((one) => ("output" in one ? one.output : []));
  if (output?.type !== "chunk" || others.length > 0) throw new Error(`${name} is not one script.`);
  return output.code.trim();
}
