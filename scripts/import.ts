import { existsSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { ConnectionError, createBusiness, DukaError } from "../sdk/src/index.ts";
import { stateDir } from "./dev/paths.ts";
import { readDemo } from "./dev/state.ts";
import { formatImportResult } from "./import/result.ts";

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

/** An import of 20 MiB takes minutes. */
const importTimeoutMs = 10 * 60_000;

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

  const shop = createBusiness({ baseUrl: options.url, businessId: business, secretKey: key });
  const isDryRun = options["dry-run"];
  try {
    const { data: result } = await shop.products.import(
      { file: readFileSync(file, "utf8"), ...(isDryRun && { dry_run: true }) },
      { timeout: importTimeoutMs },
    );
    console.log(formatImportResult(result, { isDryRun }));
    return result.rejected.length > 0 ? 1 : 0;
  } catch (error) {
    if (error instanceof ConnectionError) {
      return fail(`No response from ${options.url}. Is npm run dev running?`);
    }
    if (!(error instanceof DukaError)) throw error;
    return fail(`${error.status} ${error.code}: ${error.message}`);
  }
}

function fail(message: string): number {
  console.error(message);
  return 1;
}

process.exitCode = await main();
