import { allocateCents, roundHalfUp } from '../../../shared/money.ts'

/** What the file of sales tax says: each rate with its work and tax, what was credited taken off the rates it was charged by. */

export const taxTreatments = ['taxed', 'exempt', 'untaxed'] as const
export type TaxTreatment = (typeof taxTreatments)[number]

export type RateSum = {
  name: string
  ratePercent: number
  /** Where it was charged, as far as that is asked for and known. */
  state?: string
  baseCents: number
  taxCents: number
}
/** Work of an invoice by state and treatment; null is not known, on invoices made before it was kept. */
export type WorkSum = { state: string | null; treatment: TaxTreatment | null; netCents: number }
export type InvoiceSums = { taxes: readonly RateSum[]; work: readonly WorkSum[] }

const spread = (cents: number, weights: readonly number[]): number[] => {
  const positive = weights.map((weight) => Math.max(0, weight))
  if (positive.every((weight) => weight === 0)) return weights.map(() => 0)
  return allocateCents(Math.abs(cents), positive).map((share) => Math.sign(cents) * share)
}

/**
 * What of an invoice a credit note takes back: its tax over the rates that the invoice charged and its work over what stands on it, each in
 * proportion and to the cent. `restCents` is tax of the note that no rate of the invoice charged.
 */
export const creditedOfInvoice = (
  { taxes, work }: InvoiceSums,
  note: { netCents: number; taxCents: number },
): { taxes: RateSum[]; work: WorkSum[]; restCents: number } => {
  const wholeCents = work.reduce((sum, { netCents }) => sum + netCents, 0)
  const parts = spread(
    note.taxCents,
    taxes.map(({ taxCents }) => taxCents),
  )
  const nets = spread(
    note.netCents,
    work.map(({ netCents }) => netCents),
  )
  return {
    taxes: taxes.map((tax, at) => ({
      ...tax,
      baseCents: wholeCents > 0 ? roundHalfUp((note.netCents * tax.baseCents) / wholeCents) : 0,
      taxCents: parts[at] ?? 0,
    })),
    work: work.map((one, at) => ({ ...one, netCents: nets[at] ?? 0 })),
    restCents: note.taxCents - parts.reduce((sum, cents) => sum + cents, 0),
  }
}

/** Adds sums up, by rate with its state, and by state and treatment. */
export const addSums = (all: readonly InvoiceSums[]): { taxes: RateSum[]; work: WorkSum[] } => {
  const taxes = new Map<string, RateSum>()
  const work = new Map<string, WorkSum>()
  for (const sums of all) {
    for (const tax of sums.taxes) {
      const key = `${tax.name}:${tax.ratePercent}:${tax.state ?? ''}`
      const known = taxes.get(key)
      taxes.set(key, {
        ...tax,
        baseCents: (known?.baseCents ?? 0) + tax.baseCents,
        taxCents: (known?.taxCents ?? 0) + tax.taxCents,
      })
    }
    for (const one of sums.work) {
      const key = `${one.state}:${one.treatment}`
      work.set(key, { ...one, netCents: (work.get(key)?.netCents ?? 0) + one.netCents })
    }
  }
  return { taxes: [...taxes.values()], work: [...work.values()] }
}

/** The other way around: what takes off. */
export const negated = ({ taxes, work }: InvoiceSums): InvoiceSums => ({
  taxes: taxes.map((tax) => ({ ...tax, baseCents: -tax.baseCents, taxCents: -tax.taxCents })),
  work: work.map((one) => ({ ...one, netCents: -one.netCents })),
})

/** "Exempt in GA", "Not taxed, place not known". */
export const workLabel = ({ state, treatment }: WorkSum): string =>
  treatment === null
    ? 'On invoices made before tax was kept line by line'
    : `${treatment === 'exempt' ? 'Exempt' : 'Not taxed'}${state ? ` in ${state}` : ', place not known'}`
