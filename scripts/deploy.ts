import { parseArgs } from "node:util";
import { buildAll } from "./deploy/bundles.ts";
import { blankDatabases, databaseConfig, databases, whatToCreate } from "./deploy/preparation.ts";
import { deployOrder } from "./deploy/workers.ts";
import { wrangler } from "./deploy/wrangler.ts";
import { fillReference } from "./dev/reference.ts";

const { values: options } = parseArgs({
  options: { "dry-run": { type: "boolean", default: false } },
});

fillReference();
process.exitCode = options["dry-run"] ? await buildAll() : deploy();

/** Migrates first: what is deployed may need the new columns, what still runs does not mind them. */
function deploy(): number {
  const blank = blankDatabases();
  if (blank.length > 0) {
    console.error(`Not created yet: ${blank.join(", ")}.\n\n${whatToCreate}`);
    return 1;
  }
  for (const name of databases()) {
    if (!wrangler(["d1", "migrations", "apply", name, "--remote", "-c", databaseConfig])) return 1;
  }
  for (const { name, config } of deployOrder) {
    console.log(`\n${name}`);
    if (!wrangler(["deploy", "-c", config])) return 1;
  }
  return 0;
}
