import { Link } from "@tanstack/react-router";
import { useShop } from "../../../api/shop.ts";
import { useRecord } from "../../../api/use-record.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { Loaded } from "../../../ui/loaded.tsx";
import { Table } from "../../../ui/table.tsx";
import { useChange } from "../../../ui/use-change.ts";
import { channelNames, type MessageTemplate, messageText } from "../../messages/message-names.ts";
import { canDisable } from "./template.ts";

/** All messages that the service can send for the shop. */
export function TemplatesCard() {
  const { api } = useShop();
  const query = useRecord({
    key: ["message-templates"],
    get: (options) => api.messages.listTemplates(options),
  });
  return (
    <Card title="Messages" isFlush>
      <Loaded query={query}>{(templates) => <TemplatesTable templates={templates} />}</Loaded>
    </Card>
  );
}

function TemplatesTable({ templates }: Readonly<{ templates: readonly MessageTemplate[] }>) {
  const { api, can } = useShop();
  const change = useChange();
  const mayWrite = can("messages:write");
  return (
    <Table
      label="Messages"
      rows={templates}
      keyOf={({ name }) => name}
      columns={[
        {
          name: "Message",
          cell: ({ name, subject }) => (
            <>
              <Link
                className="row-link"
                to="/$businessId/settings/messages/$name"
                from="/$businessId"
                params={{ name }}
              >
                {messageText(name)}
              </Link>
              <p className="small muted">{subject}</p>
            </>
          ),
        },
        {
          name: "Status",
          kind: "tight",
          cell: ({ is_enabled: isEnabled }) =>
            isEnabled ? <Badge tone="success">On</Badge> : <Badge>Off</Badge>,
        },
        {
          name: "Sent by",
          isHiddenOnPhone: true,
          cell: ({ channels }) => channels.map((channel) => channelNames[channel]).join(", "),
        },
        {
          name: "Text",
          isHiddenOnPhone: true,
          cell: ({ is_custom: isCustom }) => (isCustom ? "Your own" : "Built-in"),
        },
        {
          name: "Actions",
          isNameHidden: true,
          kind: "tight",
          isWide: true,
          cell: ({ name, is_enabled: isEnabled }) =>
            mayWrite &&
            canDisable(name) && (
              <Button
                aria-label={`Turn ${isEnabled ? "off" : "on"} ${messageText(name)}`}
                isBusy={change.isBusy}
                onClick={() =>
                  void change.run(
                    () => api.messages.updateTemplate(name, { is_enabled: !isEnabled }),
                    `${messageText(name)} is ${isEnabled ? "off" : "on"}.`,
                  )
                }
              >
                Turn {isEnabled ? "off" : "on"}
              </Button>
            ),
        },
      ]}
    />
  );
}
