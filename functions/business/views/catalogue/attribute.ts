import { z } from "@hono/zod-openapi";
import type { AttributeRecord } from "../../../../shared/catalogue/index.ts";
import { AttributeView, viewAttribute } from "../../../wire/views/catalogue/attribute.ts";

/** An attribute as its merchant sees it: with what it belongs to. */
export const AttributeRecordView = AttributeView.extend({
  category_id: z.string().nullable(),
  collection_id: z.string().nullable(),
}).openapi("AttributeRecord");
export type AttributeRecordView = z.infer<typeof AttributeRecordView>;

export const viewAttributeRecord = ({ attribute }: AttributeRecord): AttributeRecordView => ({
  ...viewAttribute(attribute),
  category_id: attribute.owner.categoryId,
  collection_id: attribute.owner.collectionId,
});
