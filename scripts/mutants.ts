import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { applyMutant, drawMutants, findMutants, type Mutant } from "./mutants/find-mutants.ts";
import { findImporters, nearestTests } from "./mutants/nearest-tests.ts";
import { passesTests, stopTests, tryMutant, type Verdict } from "./mutants/try-mutant.ts";

// Draws small changes of the code and reports which of them no test notices:
// `npm run mutants -- --seed 7 --count 50`. Works on a copy, so that this folder never changes.

const { values: options } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    count: { type: "string", default: "50" },
    /** Seconds for the tests of one mutant. */
    limit: { type: "string", default: "240" },
    /** Only so many of the nearest test files. 0 stands for all. */
    tests: { type: "string", default: "0" },
    /** Only files whose path contains this text. */
    in: { type: "string", default: "" },
    /** Prints the mutants and their nearest tests, and runs nothing. */
    list: { type: "boolean", default: false },
  },
});

const root = join(import.meta.dirname, "..");

/** Files whose behavior no test of `npm test` can see. */
const untested: readonly RegExp[] = [
  /\/tables\.ts$/, // the migrations create the tables
  /^functions\/link\/elements\/client\//, // test:browser runs them, as built pages
  /^shared\/events\/examples\.ts$/, // documentation
  /\/generated\.ts$/,
];

const seed = readNumber("seed");
const count = readNumber("count");
const timeLimitMs = 1_000 * readNumber("limit");
const maxTests = readNumber("tests") || Number.POSITIVE_INFINITY;
const files = listFiles();
const texts = new Map(
  files
    .filter((path) => /^(?:shared|functions|test)\/.*(?<!\.d)\.ts$/.test(path))
    .map((path) => [path, readFileSync(join(root, path), "utf8")]),
);
const importers = findImporters(texts);
const mutants = drawMutants(
  [...texts]
    .filter(([path]) => !path.startsWith("test/") && path.includes(options.in))
    .filter(([path]) => !untested.some((pattern) => pattern.test(path)))
    .flatMap(([path, text]) => findMutants(path, text)),
  { seed, count },
);

if (options.list) {
  for (const mutant of mutants) {
    console.log(describeMutant(mutant));
    console.log(`    ${nearestTests(mutant.file, importers).slice(0, 3).join(" ")}`);
  }
} else {
  await tryAll();
}

function readNumber(name: "seed" | "count" | "limit" | "tests"): number {
  const number = Number(options[name]);
  if (Number.isInteger(number) && number >= 0) return number;
  console.error(`--${name} must be a whole number, not ${options[name]}.`);
  process.exit(1);
}

/** The files of the working tree with changes that are not committed, without ignored ones. */
function listFiles(): string[] {
  const args = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
  const listed = execFileSync("git", args, { cwd: root, encoding: "utf8" });
  return listed.split("\0").filter((path) => path !== "" && existsSync(join(root, path)));
}

async function tryAll(): Promise<void> {
  const copy = realpathSync(mkdtempSync(join(tmpdir(), "duka-mutants-")));
  // Also runs when a signal below ends the process.
  process.once("exit", () => {
    stopTests();
    rmSync(copy, { recursive: true, force: true });
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => process.exit(130));
  }
  for (const path of files) {
    if (path === "node_modules") continue;
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    cpSync(join(root, path), join(copy, path));
  }
  symlinkSync(realpathSync(join(root, "node_modules")), join(copy, "node_modules"));

  const verdicts: Verdict["type"][] = [];
  const passing = new Map<string, boolean>();
  for (const mutant of mutants) {
    const started = performance.now();
    const verdict = await tryInCopy(copy, mutant);
    verdicts.push(verdict.type);
    await requirePassing(verdict);
    const seconds = Math.round((performance.now() - started) / 1_000);
    console.log(`${verdict.type.padEnd(9)} ${describeMutant(mutant)}`);
    console.log(`          ${verdict.detail} (${seconds} s)`);
  }
  const counts = Map.groupBy(verdicts, (type) => type);
  const total = (type: Verdict["type"]) => counts.get(type)?.length ?? 0;
  console.log(
    `seed ${seed}: ${verdicts.length} mutants, ${total("caught")} caught, ${total("survived")} survived, ${total("undecided")} undecided`,
  );

  /** A test that fails without the mutant too has not caught it. */
  async function requirePassing({ type, detail }: Verdict): Promise<void> {
    const file = detail.split(":")[0] ?? "";
    if (type !== "caught" || !file.endsWith(".test.ts")) return;
    const passes = passing.get(file) ?? (await passesTests(copy, file));
    passing.set(file, passes);
    if (!passes) throw new Error(`${file} fails without any mutant.`);
  }
}

async function tryInCopy(copy: string, mutant: Mutant): Promise<Verdict> {
  const path = join(copy, mutant.file);
  const text = texts.get(mutant.file) ?? "";
  writeFileSync(path, applyMutant(text, mutant));
  try {
    return await tryMutant(copy, {
      tests: nearestTests(mutant.file, importers),
      maxTests,
      timeLimitMs,
    });
  } finally {
    writeFileSync(path, text);
  }
}

function describeMutant({ file, line, operator, start, end, replacement }: Mutant): string {
  const before = (texts.get(file) ?? "").slice(start, end);
  const short = (text: string) => {
    const flat = text.replaceAll(/\s+/g, " ");
    return flat.length > 70 ? `${flat.slice(0, 70)}…` : flat;
  };
  return `${file}:${line} ${operator}: ${short(before)} → ${short(replacement) || "nothing"}`;
}
