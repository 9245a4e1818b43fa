import { join } from "node:path";
import { describeUnsafe, findUnsafeMigrations } from "../deploy/migrations/find-unsafe.ts";

/** Refuses migrations that the Workers of the previous release could not bear. */
const folder = join(import.meta.dirname, "../../migrations");
const unsafe = ["core", "shop"].flatMap((kind) => findUnsafeMigrations(join(folder, kind)));

for (const migration of unsafe) console.log(describeUnsafe(migration));
console.log(`migrations: ${unsafe.length} that running Workers could not bear`);
process.exitCode = unsafe.length > 0 ? 1 : 0;
