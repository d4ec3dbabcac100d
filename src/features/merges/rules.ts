/** What of two records of a customer can differ, and how it is called. */
export const mergedFields = {
  company: 'Company',
  email: 'E-mail',
  phone: 'Phone',
  billingStreet: 'Billing street',
  billingCity: 'Billing city',
  billingState: 'Billing state',
  billingZip: 'Billing ZIP code',
  termsDays: 'Days to pay',
  taxCertificate: 'Tax certificate',
} as const
export type MergedField = keyof typeof mergedFields
type Value = string | number | null

export type Mergeable = Record<MergedField, Value> & {
  name: string
  tags: readonly string[]
  notes: string
  stage: string
  /** Values of custom fields by their id. */
  custom: Readonly<Record<string, unknown>>
}

const isEmpty = (value: Value): boolean => value === null || value === ''

/** The bill address is one thing: half of one and half of the other is nobody's. */
const billing: readonly MergedField[] = ['billingStreet', 'billingCity', 'billingState', 'billingZip']

/**
 * What the kept record becomes: its own values stay, what it has not is taken from the other, tags of both, notes one below the other. Only what changes.
 */
export const mergedValues = (kept: Mergeable, gone: Mergeable): Partial<Mergeable> => {
  const hasBilling = billing.some((field) => !isEmpty(kept[field]))
  const taken = (Object.keys(mergedFields) as MergedField[]).filter(
    (field) => isEmpty(kept[field]) && !isEmpty(gone[field]) && !(billing.includes(field) && hasBilling),
  )
  const tags = [...new Set([...kept.tags, ...gone.tags])].slice(0, 30)
  const filled = Object.entries(gone.custom).filter(([id]) => kept.custom[id] === undefined)
  const notes = [kept.notes, gone.notes === kept.notes ? '' : gone.notes].filter(Boolean).join('\n\n').slice(0, 4000)
  return {
    ...Object.fromEntries(taken.map((field) => [field, gone[field]])),
    ...(tags.length > kept.tags.length ? { tags } : {}),
    ...(notes === kept.notes ? {} : { notes }),
    ...(filled.length > 0 ? { custom: { ...kept.custom, ...Object.fromEntries(filled) } } : {}),
    ...(kept.stage !== 'active' && gone.stage === 'active' ? { stage: 'active' } : {}),
  }
}

/** Fields in which the two say different things: the kept record's word stays. */
export const mergeConflicts = (kept: Mergeable, gone: Mergeable): { label: string; kept: string; gone: string }[] => [
  ...(kept.name === gone.name ? [] : [{ label: 'Name', kept: kept.name, gone: gone.name }]),
  ...(Object.keys(mergedFields) as MergedField[])
    .filter((field) => !isEmpty(kept[field]) && !isEmpty(gone[field]) && kept[field] !== gone[field])
    .map((field) => ({ label: mergedFields[field], kept: String(kept[field]), gone: String(gone[field]) })),
]

/** Ways to the other record that the kept one has no room for: they become a contact, so that nobody is out of reach. */
export const otherWays = (
  kept: Pick<Mergeable, 'phone' | 'email'>,
  gone: Pick<Mergeable, 'name' | 'phone' | 'email'>,
): { name: string; phone: string | null; email: string | null } | null => {
  const left = (field: 'phone' | 'email') =>
    isEmpty(kept[field]) || isEmpty(gone[field]) || kept[field] === gone[field] ? null : String(gone[field])
  const [phone, email] = [left('phone'), left('email')]
  return phone === null && email === null ? null : { name: gone.name.slice(0, 120), phone, email }
}

type BookedKind = 'jobs' | 'quotes' | 'invoices' | 'payments' | 'plans' | 'cards' | 'papers' | 'entries'
/** What was booked on a customer. */
export type Booked = Readonly<Record<BookedKind, number>>

const hasBooked = (booked: Booked): boolean => Object.values(booked).some((count) => count > 0)

/** What of a record decides whether it can be one with another. */
export type MergeSide = {
  id: string
  name: string
  archived: boolean
  booked: Booked
  /** A card or bank account is on file. */
  hasCard: boolean
  /** It is a customer in the connected QuickBooks. */
  inBooks: boolean
}

/** Why one record cannot go into the other; null where it can. What would be dishonest to decide for somebody is left to a person. */
export const mergeRefusal = (kept: MergeSide, gone: MergeSide): string | null => {
  if (kept.id === gone.id) return 'This is the same record. Choose the other one. Nothing was changed.'
  if (kept.archived) return `${kept.name} is archived. Switch it on first. Nothing was changed.`
  if (gone.inBooks)
    return kept.inBooks
      ? 'Both are customers in QuickBooks, and Swath does not merge them there: what is open would stand with two customers in your books. Nothing was changed: keep both, and archive the one that is not used any more.'
      : 'The other record is the one that QuickBooks knows. Keep that one, and merge this one into it. Nothing was changed.'
  if (kept.hasCard && gone.hasCard)
    return 'Both have a card or bank account on file, and a customer has one. Only a person can say which one is to pay: remove the other under Invoices first. Nothing was changed.'
  return null
}

/** Work and money that moved is not taken back: papers, routes and books have gone on with it. */
export const isFinalMerge = (gone: Pick<MergeSide, 'booked'>): boolean => hasBooked(gone.booked)

/** A merge is taken back within so many days: later nobody knows any more what was whose. */
export const mergeUndoDays = 30

/** What decides whether a merge can be taken back. */
export type UndoFacts = {
  isFinal: boolean
  /** It was taken back. */
  isUndone: boolean
  isOld: boolean
  /** The kept record went into another one since. */
  wentOn: boolean
  /** What stands at a property that moved. */
  booked: 'work' | 'quote' | null
  /** A property that moved is one with another since. */
  joined: boolean
}

/** Why a merge is not taken back; null where it can be. */
export const undoRefusal = (facts: UndoFacts): string | null => {
  if (facts.isFinal)
    return 'Work or money moved with this merge, so it cannot be taken back: invoices, routes and books have gone on with it.'
  if (facts.isUndone) return 'This was taken back already.'
  if (facts.isOld) return `A merge can be taken back within ${mergeUndoDays} days, and this one is older.`
  if (facts.wentOn) return 'The record that was kept was merged into another one since. Take that back first.'
  if (facts.booked)
    return `${{ work: 'Work was booked', quote: 'A quote was made' }[facts.booked]} at a property that moved, so this cannot be taken back.`
  if (facts.joined) return 'A property that moved was made one with another since, so this cannot be taken back.'
  return null
}

/** What a person is told beside the lists before two records become one. */
export const mergeNotes = (kept: MergeSide, gone: MergeSide): string[] => [
  ...(isFinalMerge(gone)
    ? [
        'Work or money moves, so this cannot be taken back. Invoices keep their numbers and what was printed on them; what is owed is the sum of both.',
      ]
    : []),
  ...(gone.hasCard
    ? [`The card or bank account of the other record is on file with ${kept.name} then, with its autopay.`]
    : []),
  ...(gone.booked.plans > 0 && kept.booked.plans > 0 ? ['Both have billing plans. Each goes on as it runs.'] : []),
]
