/** Money that was paid ahead and the work that it is for: a job, or a quote with all that it became. */

/** What a payment is bound to; nothing of both where any invoice may use it. */
export type Bound = { jobId: string | null; quoteId: string | null }

/** What of an invoice is which work: by job, and by quote where it bills one as a whole. */
export type Shares = {
  cents: ReadonlyMap<string, number>
  /** The quote that a job was made from. */
  quoteOf: ReadonlyMap<string, string>
}

const add = (sums: Map<string, number>, id: string, cents: number): void => {
  sums.set(id, (sums.get(id) ?? 0) + cents)
}

/**
 * How much of an invoice money that was paid ahead may pay: of the work that it is for no more than that comes to, less what was paid of it so. A
 * job's own money counts for its quote, too, so that nothing is paid twice.
 */
export const roomOf = ({ cents, quoteOf }: Shares, paid: readonly (Bound & { cents: number })[]) => {
  const jobs = new Map(cents)
  const quotes = new Map<string, number>()
  const quoteOfWork = (id: string) => quoteOf.get(id) ?? null
  for (const [id, one] of cents) add(quotes, quoteOfWork(id) ?? id, one)
  const take = ({ jobId, quoteId }: Bound, amountCents: number): void => {
    if (jobId) add(jobs, jobId, -amountCents)
    const quote = jobId ? quoteOfWork(jobId) : quoteId
    if (quote) add(quotes, quote, -amountCents)
  }
  for (const one of paid) take(one, one.cents)
  return {
    for: ({ jobId, quoteId }: Bound): number => {
      const quote = jobId ? quoteOfWork(jobId) : quoteId
      const ofQuote = quote ? (quotes.get(quote) ?? 0) : Number.POSITIVE_INFINITY
      return Math.max(0, jobId ? Math.min(jobs.get(jobId) ?? 0, ofQuote) : quoteId ? ofQuote : 0)
    },
    take,
  }
}
