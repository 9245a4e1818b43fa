import type { BusinessSchemas, List, Result } from "@duka/sdk/business";
import type { AccessScope } from "../../api/console-api.ts";
import { useShop } from "../../api/shop.ts";
import { useListPage } from "../../api/use-list-page.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { TextArea } from "../../ui/field.tsx";
import { useForm } from "../../ui/use-form.ts";
import { useFormat } from "../../ui/use-format.ts";
import "./notes.css";

type Note = BusinessSchemas["Note"];

type NotesCardProps = Readonly<{
  /** The id of the order or the customer that the notes are about. */
  subjectId: string;
  list: () => List<Note>;
  add: (text: string) => Promise<Result<Note>>;
  /** The scope that a member needs to add a note. */
  writeScope: AccessScope;
}>;

/** Notes about a record for the people of the shop. Shoppers do not see them. */
export function NotesCard({ subjectId, list, add, writeScope }: NotesCardProps) {
  const { can } = useShop();
  const format = useFormat();
  const query = useListPage({ key: ["notes", subjectId], list });
  const form = useForm({ text: "" }, async ({ text }) => {
    await add(text);
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
                <p className="note-text">{text}</p>
                <p className="small muted">{format.moment(at)}</p>
              </li>
            ))}
          </ul>
        )}
        {notes.length === 0 && !can(writeScope) && <p className="muted">There are no notes.</p>}
        {can(writeScope) && (
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
