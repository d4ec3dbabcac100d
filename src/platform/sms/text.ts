/** What comes along with one text is at most so large; a provider takes and hands out no more. */
export const mostMediumBytes = 5 * 1024 * 1024

/** A text on its way to a handset. */
export type Text = {
  id: string
  to: string
  body: string
  /** Whose text it is; null is the product owner's to a prospect. */
  businessId: string | null
  /** Public addresses of photos that go along, from where the provider fetches them. */
  mediaUrls?: readonly string[]
}
