import { useShop } from "../../api/shop.ts";
import { useListPage } from "../../api/use-list-page.ts";
import { IconButton } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { useChange } from "../../ui/use-change.ts";
import type { Customer, CustomerGroup } from "./customer.ts";

/** The groups that a customer is in, and the choice of another one. */
export function GroupsCard({ customer }: Readonly<{ customer: Customer }>) {
  const { api, can } = useShop();
  const change = useChange();
  const query = useListPage({
    key: ["customer-groups", "all"],
    list: () => api.customerGroups.list({ limit: 100 }),
  });
  const groups = query.data?.items ?? [];
  const isMember = (group: CustomerGroup) => group.customer_ids.includes(customer.id);
  const joined = groups.filter(isMember);
  const others = groups.filter((group) => !isMember(group));

  const setMembership = (groupId: string, isIn: boolean) =>
    api.customerGroups.update(
      groupId,
      isIn ? { add_customer_ids: [customer.id] } : { remove_customer_ids: [customer.id] },
    );

  return (
    <Card title="Groups">
      <div className="stack">
        {joined.length === 0 && <p className="muted">In no group.</p>}
        {joined.length > 0 && (
          <ul>
            {joined.map(({ id, name }) => (
              <li key={id} className="row apart">
                {name}
                {can("customers:write") && (
                  <IconButton
                    icon="close"
                    label={`Take the customer out of ${name}`}
                    onClick={() =>
                      void change.run(() => setMembership(id, false), `No longer in ${name}.`)
                    }
                  />
                )}
              </li>
            ))}
          </ul>
        )}
        {can("customers:write") && others.length > 0 && (
          <select
            className="input"
            aria-label="Add to a group"
            value=""
            disabled={change.isBusy}
            onChange={({ target }) => {
              const group = others.find(({ id }) => id === target.value);
              if (group)
                void change.run(() => setMembership(group.id, true), `Now in ${group.name}.`);
            }}
          >
            <option value="">Add to a group…</option>
            {others.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        )}
      </div>
    </Card>
  );
}
