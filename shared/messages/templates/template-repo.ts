import { and, eq, inArray } from "drizzle-orm";
import { type BatchedRead, batchedRead, type Context, type Write } from "../../database/index.ts";
import type { MessageName } from "../message-name.ts";
import { defaultMessageSettings, type MessageSettings } from "../settings.ts";
import { messageSettings, messageTemplates } from "../tables.ts";
import type { TemplateOverride } from "./template.ts";

type TemplateContext = Pick<Context, "db"> & Readonly<{ business: Readonly<{ id: string }> }>;

/** The templates and the settings of one business. */
export function templateRepo({ db, business }: TemplateContext) {
  const ofBusiness = eq(messageTemplates.businessId, business.id);
  return {
    /** What the business has changed of its templates, by name. */
    async list(): Promise<ReadonlyMap<MessageName, TemplateOverride>> {
      return toOverrides(await db.select().from(messageTemplates).where(ofBusiness));
    },

    read: (name: MessageName): BatchedRead<TemplateOverride | null> =>
      batchedRead(
        [
          db
            .select()
            .from(messageTemplates)
            .where(and(ofBusiness, eq(messageTemplates.name, name))),
        ],
        ([[row]]) => (row ? toOverride(row) : null),
      ),

    /** As `read`, for several templates, by name. */
    readMany: (
      names: readonly MessageName[],
    ): BatchedRead<ReadonlyMap<MessageName, TemplateOverride>> =>
      batchedRead(
        [
          db
            .select()
            .from(messageTemplates)
            .where(and(ofBusiness, inArray(messageTemplates.name, [...new Set(names)]))),
        ],
        ([rows]) => toOverrides(rows),
      ),

    save: (name: MessageName, override: TemplateOverride): Write =>
      db
        .insert(messageTemplates)
        .values({ businessId: business.id, name, ...override })
        .onConflictDoUpdate({
          target: [messageTemplates.businessId, messageTemplates.name],
          set: override,
        }),

    readSettings: (): BatchedRead<MessageSettings> =>
      batchedRead(
        [db.select().from(messageSettings).where(eq(messageSettings.businessId, business.id))],
        ([[row]]) => (row ? toSettings(row) : defaultMessageSettings),
      ),

    saveSettings(settings: MessageSettings, now: number): Write {
      const row = { ...settings, updatedAt: now };
      return db
        .insert(messageSettings)
        .values({ businessId: business.id, ...row })
        .onConflictDoUpdate({ target: messageSettings.businessId, set: row });
    },
  };
}

const toOverrides = (
  rows: readonly (typeof messageTemplates.$inferSelect)[],
): ReadonlyMap<MessageName, TemplateOverride> =>
  new Map(rows.map((row) => [row.name, toOverride(row)]));

const toOverride = ({
  businessId: _,
  name: __,
  ...override
}: typeof messageTemplates.$inferSelect): TemplateOverride => override;

const toSettings = ({
  businessId: _,
  updatedAt: __,
  ...settings
}: typeof messageSettings.$inferSelect): MessageSettings => settings;
