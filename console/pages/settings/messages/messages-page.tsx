import { useShop } from "../../../api/shop.ts";
import { useRecord } from "../../../api/use-record.ts";
import { Loaded } from "../../../ui/loaded.tsx";
import { MessageSettingsForm } from "./message-settings-form.tsx";
import { TemplatesCard } from "./templates-card.tsx";

/** How messages are sent to customers, and what they say. */
export function MessageSettingsPage() {
  const { api } = useShop();
  const query = useRecord({
    key: ["message-settings", "own"],
    get: (options) => api.messages.getSettings(options),
  });
  return (
    <>
      <Loaded query={query}>{(settings) => <MessageSettingsForm settings={settings} />}</Loaded>
      <TemplatesCard />
    </>
  );
}
