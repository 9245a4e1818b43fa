import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { root } from "./dev-process.ts";

/** What the examples of the README take for granted. */
const surroundings = `
declare const business: import("@duka/sdk").Business;
declare const shop: import("@duka/sdk").Storefront;
declare const request: Request;
declare const process: { readonly env: Readonly<Record<string, string | undefined>> };
declare const [baseUrl, publicKey]: readonly [string, string];
declare function ship(order: unknown): void;
declare function show(text: string): void;
`;

const compilerOptions = {
  strict: true,
  target: "es2022",
  lib: ["es2022", "dom"],
  module: "nodenext",
  types: [],
  rootDir: ".",
  outDir: "compiled",
};

/** A project of its own, outside of the repository, into which the packed client is installed. */
export type ClientProject = Readonly<{
  /** Compiles every example of the client's README, each as a module; the first is the sale. */
  compileExamples: () => void;
  /** Runs the compiled sale at a service and returns what it prints. */
  runSale: (access: Readonly<{ baseUrl: string; publicKey: string }>) => string;
  /** Runs a line of code that imports the client and returns what it prints. */
  evaluate: (code: string) => string;
  remove: () => void;
}>;

/** Packs the client as `npm publish` does, and installs the file without network. */
export function createClientProject(): ClientProject {
  const folder = mkdtempSync(join(tmpdir(), "duka-client-"));
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  run("npm", ["pack", "--silent", "--pack-destination", folder], join(root, "sdk"));
  const [tarball = ""] = readdirSync(folder);
  write("package.json", JSON.stringify({ name: "shop", private: true, type: "module" }));
  run("npm", ["install", "--offline", "--no-audit", "--no-fund", `./${tarball}`], folder);
  const evaluate = (code: string) =>
    run(process.execPath, ["--input-type=module", "--eval", code], folder);
  return {
    compileExamples() {
      mkdirSync(join(folder, "examples"));
      write("tsconfig.json", JSON.stringify({ compilerOptions }));
      write("surroundings.d.ts", surroundings);
      for (const [index, text] of readExamples().entries())
        write(`examples/${index}.ts`, `${text}\nexport {};\n`);
      run("tsc", ["--project", folder], root);
    },
    runSale({ baseUrl, publicKey }) {
      const compiled = join(folder, "compiled/examples/0.js");
      const sale = readFileSync(compiled, "utf8")
        .replace("https://api.example.com", baseUrl)
        .replace("pk_test_…", publicKey);
      return evaluate(sale);
    },
    evaluate,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The TypeScript of the README. */
const readExamples = (): string[] =>
  [...readFileSync(join(root, "sdk/README.md"), "utf8").matchAll(/^```ts\n(.*?)^```$/gms)].map(
    ([, text = ""]) => text,
  );

/** Runs a command and returns its output. @throws with the output when it fails. */
function run(command: string, args: readonly string[], cwd: string): string {
  const bin = join(root, "node_modules/.bin");
  const { NODE_ENV: _, ...environment } = process.env;
  try {
    return execFileSync(command, args, {
      cwd,
      env: { ...environment, PATH: `${bin}${delimiter}${process.env.PATH}` },
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  } catch (error) {
    const { stdout = "", stderr = "" } = Object(error);
    throw new Error(`${command} ${args.join(" ")} failed:\n${stdout}${stderr}`);
  }
}
