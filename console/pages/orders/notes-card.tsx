import { useShop } from "../../api/shop.ts";
import { useListPage } from "../../api/use-list-page.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { TextArea } from "../../ui/field.tsx";
import { useForm } from "../../ui/use-form.ts";
import { useFormat } from "../../ui/use-format.ts";

/** Notes about an order for the people of the shop. The customer does not see them. */
export function NotesCard({ orderId }: Readonly<{ orderId: string }>) {
  const { api, can } = useShop();
  const format = useFormat();
  const query = useListPage({
    key: ["orders", orderId, "notes"],
    list: () => api.orders.listNotes(orderId, { limit: 50 }),
  });
  const form = useForm({ text: "" }, async ({ text }) => {
    await api.orders.addNote(orderId, { text });
    await query.refetch();
  });
  const notes = query.data?.items ?? [];
  return (
    <Card title="Notes">
      <div className="stack">
        {notes.length > 0 && (
          <ul className="entries">
            {notes.map(({ id, text, created_at: at }) => (
              <li key={id}>
                <p>{text}</p>
                <p className="small muted">{format.moment(at)}</p>
              </li>
            ))}
          </ul>
        )}
        {can("orders:write") && (
          <form
            className="stack no-print"
            onSubmit={async (event) => {
              event.preventDefault();
              if (await form.submit()) form.reset({ text: "" });
            }}
          >
            <TextArea label="New note" rows={2} required maxLength={2000} {...form.field("text")} />
            <div className="row end">
              <Button type="submit" isBusy={form.isSaving}>
                Add note
              </Button>
            </div>
          </form>
        )}
      </div>
    </Card>
  );
}
