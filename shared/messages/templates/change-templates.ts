import type { ShopContext } from "../../businesses/index.ts";
import { commit, readTogether, readTogetherByKey } from "../../database/index.ts";
import { invalid, omitUndefined } from "../../kernel/index.ts";
import { type MessageName, messageNames, requiredMessages } from "../message-name.ts";
import { type RenderedMessage, renderMessage } from "../rendering/render-message.ts";
import type { MessageSettings } from "../settings.ts";
import { exampleValues } from "./example-values.ts";
import { rescheduleReminders } from "./reminder-repo.ts";
import {
  assertKnownVariables,
  changeOverride,
  type MessageTemplate,
  type TemplateChanges,
  type TemplateOverride,
  templateWith,
} from "./template.ts";
import { templateRepo } from "./template-repo.ts";

/** The templates of all messages, in the order of their names in the contract. */
export async function listTemplates(ctx: ShopContext): Promise<MessageTemplate[]> {
  const overrides = await templateRepo(ctx).list();
  return messageNames.map((name) => templateWith(name, overrides.get(name) ?? null));
}

export async function getTemplate(ctx: ShopContext, name: MessageName): Promise<MessageTemplate> {
  return templateWith(name, await loadOverride(ctx, name));
}

async function loadOverride(ctx: ShopContext, name: MessageName): Promise<TemplateOverride | null> {
  const [override = null] = await readTogether(ctx.db, [templateRepo(ctx).read(name)]);
  return override;
}

/**
 * Changes a template (docs/contract/messages.md#templates).
 *
 * @throws Refusal VALIDATION_ERROR for an unknown variable.
 */
export async function updateTemplate(
  ctx: ShopContext,
  name: MessageName,
  changes: TemplateChanges,
): Promise<MessageTemplate> {
  if (requiredMessages.includes(name) && changes.isEnabled === false)
    throw invalid("is_enabled", "must be true: nobody could log in or join without this message.");
  const before = await loadOverride(ctx, name);
  const after = changeOverride(name, before, { changes, now: ctx.now() });
  await commit(ctx, {
    writes: [templateRepo(ctx).save(name, after)],
    audit: [{ action: "message_template.updated", entity: name, before, after }],
  });
  return templateWith(name, after);
}

/** What the template looks like with example data, also with texts that are not saved yet. */
export async function previewTemplate(
  ctx: ShopContext,
  name: MessageName,
  changes: Omit<TemplateChanges, "isEnabled">,
): Promise<Readonly<{ rendered: RenderedMessage; settings: MessageSettings }>> {
  assertKnownVariables(name, changes);
  const repo = templateRepo(ctx);
  const { override, settings } = await readTogetherByKey(ctx.db, {
    override: repo.read(name),
    settings: repo.readSettings(),
  });
  const texts = changeOverride(name, override, { changes, now: ctx.now() });
  const rendered = renderMessage({
    template: templateWith(name, texts),
    values: exampleValues({ business: ctx.business, settings }),
    businessName: ctx.business.name,
    settings,
  });
  return { rendered, settings };
}

export async function getSettings(ctx: ShopContext): Promise<MessageSettings> {
  const [settings] = await readTogether(ctx.db, [templateRepo(ctx).readSettings()]);
  if (!settings) throw new Error("The read of the settings returned none.");
  return settings;
}

type SettingsChanges = { readonly [K in keyof MessageSettings]?: MessageSettings[K] | undefined };

/** Changes the settings. Reminders that wait get their new time in the same batch. */
export async function updateSettings(
  ctx: ShopContext,
  changes: SettingsChanges,
): Promise<MessageSettings> {
  const before = await getSettings(ctx);
  const after: MessageSettings = { ...before, ...omitUndefined(changes) };
  await commit(ctx, {
    writes: [
      templateRepo(ctx).saveSettings(after, ctx.now()),
      ...(after.reminderHours === before.reminderHours
        ? []
        : [rescheduleReminders(ctx, after.reminderHours)]),
    ],
    audit: [{ action: "message_settings.updated", entity: ctx.business.id, before, after }],
  });
  return after;
}
