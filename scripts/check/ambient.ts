import type { Finding } from "./rule.ts";
import { lineAt, type SourceFile } from "./source-tree.ts";

const ambientReads: readonly RegExp[] = [
  /\bDate\.now\b/g,
  /\bnew\s+Date\b(?!\s*\(\s*[^\s)])/g,
  /\bTemporal\.Now\b/g,
  /\bperformance\.now\b/g,
  /\bMath\.random\b/g,
  /\bcrypto\.(?:randomUUID|getRandomValues)\b/g,
  /\bprocess\.env\b/g,
];

/** Finds where a file reads the clock, random numbers or the environment directly. */
export function ambientReadsIn({ path, bare }: SourceFile): Finding[] {
  return ambientReads.flatMap((pattern) =>
    [...bare.matchAll(pattern)].map((match) => ({
      file: path,
      line: lineAt(bare, match.index),
      found: `reads ${match[0]}`,
    })),
  );
}
