import { existsSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { stateDir } from "./dev/paths.ts";
import { readDemo } from "./dev/state.ts";
import { formatImportResult, parseImportResult } from "./import/result.ts";

const usage =
  "npm run import -- products.csv [--business biz_… --key sk_… --url http://…] [--dry-run]";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    business: { type: "string" },
    key: { type: "string" },
    url: { type: "string", default: `http://localhost:${process.env.PORT ?? 8787}` },
    "dry-run": { type: "boolean", default: false },
  },
});

/**
 * Sends the file to the import endpoint. Returns 1 when the request failed or rows were rejected,
 * even in a dry run.
 */
async function main(): Promise<number> {
  const [file] = positionals;
  if (file === undefined) return fail(usage);
  if (!existsSync(file)) return fail(`There is no file ${file}.`);
  const demo = readDemo(stateDir)?.shops.find(({ kind }) => kind === "clothes");
  const business = options.business ?? demo?.id;
  const key = options.key ?? (business === demo?.id ? demo?.keys.secret : undefined);
  if (!business || !key)
    return fail(`No demo shop found: start npm run dev, or pass --business and --key.\n${usage}`);

  const query = options["dry-run"] ? "?dry_run=true" : "";
  const response = await fetch(`${options.url}/v1/businesses/${business}/imports${query}`, {
    method: "POST",
    headers: { "X-API-Key": key, "Content-Type": "text/csv" },
    body: readFileSync(file),
  }).catch(() => null);
  if (response === null) return fail(`No response from ${options.url}. Is npm run dev running?`);
  const body = await response.text();
  if (!response.ok) return fail(`${response.status} ${body}`);

  const result = parseImportResult(body);
  console.log(formatImportResult(result, { isDryRun: options["dry-run"] }));
  return result.rejected.length > 0 ? 1 : 0;
}

function fail(message: string): number {
  console.error(message);
  return 1;
}

process.exitCode = await main();
