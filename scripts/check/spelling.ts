import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const root = join(import.meta.dirname, "../..");
const glossary = join(root, "docs/glossary.md");
/** The dictionary that cspell.json names. Every run creates it from the words of the glossary. */
const dictionary = join(root, "node_modules/.cache/glossary.txt");

const words = new Set(readFileSync(glossary, "utf8").match(/\p{L}[\p{L}'-]*/gu) ?? []);
mkdirSync(dirname(dictionary), { recursive: true });
writeFileSync(dictionary, [...words].join("\n"));

const { status } = spawnSync(
  process.execPath,
  [
    join(root, "node_modules/cspell/bin.mjs"),
    "lint",
    "--no-progress",
    "--no-summary",
    "--relative",
  ],
  { cwd: root, stdio: "inherit" },
);
process.exitCode = status ?? 1;
