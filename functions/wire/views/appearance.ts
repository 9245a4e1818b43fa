import { z } from "@hono/zod-openapi";
import type { Settings } from "../../../shared/businesses/index.ts";

export const AppearanceView = z
  .object({ logo_url: z.string().nullable(), accent_color: z.string().nullable() })
  .openapi("Appearance");
type AppearanceView = z.infer<typeof AppearanceView>;

export const viewAppearance = ({
  appearance: { logoUrl, accentColor },
}: Pick<Settings, "appearance">): AppearanceView => ({
  logo_url: logoUrl,
  accent_color: accentColor,
});
