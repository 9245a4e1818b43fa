import type { Context } from "../../database/index.ts";
import { archiveRecord, changedMeanwhile } from "../change-record.ts";
import { type AttributeRecord, attributeRepo } from "./attribute-repo.ts";

/**
 * Takes an attribute away for good; what products say of it stays. Done twice it is done once.
 *
 * @throws Refusal NOT_FOUND.
 */
export const archiveAttribute = (ctx: Context, id: string): Promise<AttributeRecord> =>
  archiveRecord(ctx, id, {
    repo: attributeRepo(ctx),
    action: "attribute.archived",
    before: ({ attribute }) => attribute,
    refusals: changedMeanwhile("attributes", "attribute"),
  });
