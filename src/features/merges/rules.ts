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
  const notes = [kept.notes, gone.notes === kept.notes ? '' : gone.notes].filter(Boolean).join('\n\n').slice(0, 4000)
  return {
    ...Object.fromEntries(taken.map((field) => [field, gone[field]])),
    ...(tags.length > kept.tags.length ? { tags } : {}),
    ...(notes === kept.notes ? {} : { notes }),
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

const kinds = {
  jobs: ['job', 'jobs'],
  quotes: ['quote', 'quotes'],
  invoices: ['invoice', 'invoices'],
  payments: ['payment', 'payments'],
  plans: ['billing plan', 'billing plans'],
  cards: ['card on file', 'cards on file'],
  papers: ['tax paper', 'tax papers'],
  entries: ['entry in the books', 'entries in the books'],
} as const
export type BookedKind = keyof typeof kinds
/** What was booked on a customer; null where it was not counted. */
export type Booked = Readonly<Record<BookedKind, number>>

export const hasBooked = (booked: Booked): boolean => Object.values(booked).some((count) => count > 0)

/** "2 jobs and 3 invoices". */
export const bookedLabel = (booked: Booked): string => {
  const parts = (Object.keys(kinds) as BookedKind[])
    .filter((kind) => booked[kind] > 0 && !(kind === 'entries' && (booked.invoices > 0 || booked.payments > 0)))
    .map((kind) => `${booked[kind].toLocaleString('en-US')} ${kinds[kind][booked[kind] === 1 ? 0 : 1]}`)
  return [parts.slice(0, -1).join(', '), parts.at(-1)].filter(Boolean).join(' and ')
}

/** Why one record cannot go into the other; null where it can. Work and money stay with whom they were booked on: papers that were sent name them. */
export const mergeRefusal = (
  kept: { id: string; name: string; archived: boolean; booked: Booked },
  gone: { id: string; name: string; booked: Booked },
): string | null => {
  if (kept.id === gone.id) return 'This is the same record. Choose the other one. Nothing was changed.'
  if (kept.archived) return `${kept.name} is archived. Switch it on first. Nothing was changed.`
  if (!hasBooked(gone.booked)) return null
  return hasBooked(kept.booked)
    ? `Both have work or money: the other record has ${bookedLabel(gone.booked)}. What was booked and billed stays with whom it was billed to, so these two cannot become one. Nothing was changed: keep both, and archive the one that is not used any more.`
    : `The other record has ${bookedLabel(gone.booked)}. Keep that one, and merge this one into it. Nothing was changed.`
}
