import type { MovedTable } from "../../shared/moves/index.ts";

/** The triggers that keep rows of a business whose fence is closed as they are, as migrations have them. */
export const fenceTriggersOf = ({
  name,
  businessIdOf: owner,
}: MovedTable): ReadonlyMap<string, string> =>
  new Map(
    (["insert", "update", "delete"] as const).map((event) => {
      const trigger = `fence_${name}_${event}`;
      const row = event === "delete" ? "old" : "new";
      const text = `CREATE TRIGGER \`${trigger}\` BEFORE ${event.toUpperCase()} ON \`${name}\`
WHEN EXISTS (SELECT 1 FROM \`business_fences\` WHERE \`business_id\` = ${owner(row).replaceAll(/\s+/g, " ")} AND \`state\` = 'closed') BEGIN
	SELECT RAISE(ABORT, 'business_fenced');
END`;
      return [trigger, text];
    }),
  );
