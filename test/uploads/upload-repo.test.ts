import { expect, it } from "vitest";
import { type NewUploadRow, uploadRepo } from "../../shared/uploads/upload-repo.ts";
import { contextFor, createBusiness } from "../support/world.ts";

/** A reservation; all of them have the same session. */
const newRow = (id: string): NewUploadRow => ({
  id,
  visibility: "private",
  sessionId: "ses_test",
  customerId: null,
  folderPath: null,
  path: null,
  filename: `${id}.txt`,
  contentType: "text/plain",
  sizeBytes: 4,
  createdAt: 1_000,
  expiresAt: 2_000,
  purgeAt: 2_000,
});

it("keeps the uploads of two businesses apart that have the same session and key", async () => {
  const { db, business } = contextFor(await createBusiness());
  const [own, other] = [{ id: business.id }, { id: "biz_other" }].map((one) =>
    uploadRepo({ db, business: one }),
  );
  const key = { caller: "ses_test", key: "one" };
  const day = 86_400_000;
  expect(await own?.insertOnce(newRow("upl_own"), key, day)).toMatchObject({ id: "upl_own" });
  expect(await other?.insertOnce(newRow("upl_other"), key, day)).toMatchObject({ id: "upl_other" });
  expect(await own?.insertOnce(newRow("upl_again"), key, day)).toMatchObject({ id: "upl_own" });
  expect(await own?.findOfSession("upl_own", "ses_test")).toMatchObject({ id: "upl_own" });
  expect(await other?.findOfSession("upl_own", "ses_test")).toBeNull();
});
