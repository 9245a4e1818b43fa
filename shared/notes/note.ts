/** A merchant's note about a customer or an order. */
export type Note = Readonly<{
  id: string;
  /** The id of the customer or order. */
  subjectId: string;
  text: string;
  author: string;
  createdAt: number;
}>;
