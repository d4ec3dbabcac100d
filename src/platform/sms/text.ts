/** What comes along with one text is at most so large; a provider takes and hands out no more. */
export const mostMediumBytes = 5 * 1024 * 1024

/** Something that came with a text: how its provider calls it, and what it says it is. */
export type Medium = { ref: string; mime: string }

/** Its bytes, or why they are not to be had, in words. */
export type FetchedMedium = { bytes: Buffer } | { refused: string }

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
