import { useTextDraft } from '../../../../ui/textDraft.ts'

export type Noted = {
  propertyId: string | null
  picked: Record<string, { squareFeet: string; quantity: string }>
  note: string
  /** Photos that this phone keeps, by their ids. */
  photos: string[]
  /** Photos that an older version sent to the office at once, before the quote: they belong to it all the same. */
  photoIds: string[]
}

const nothing: Noted = { propertyId: null, picked: {}, note: '', photos: [], photoIds: [] }

const read = (text: string): Noted => {
  try {
    return text ? { ...nothing, ...JSON.parse(text) } : nothing
  } catch {
    return nothing
  }
}

/** What a person noted and has not sent: this phone keeps it over another screen, a reload or a kill. */
export const useQuoteDraft = (
  userId: string,
): { kept: Noted; set: (change: (now: Noted) => Partial<Noted>) => void; clear: () => void } => {
  const key = `crew-quote.${userId}`
  const [text, type] = useTextDraft(key)
  const kept = read(text)
  return {
    kept,
    set: (change) => type(JSON.stringify({ ...kept, ...change(kept) })),
    clear: () => type(''),
  }
}
