/** A text on its way to a handset. */
export type Text = {
  id: string
  to: string
  body: string
  /** Whose text it is; null is the product owner's to a prospect. */
  businessId: string | null
}
