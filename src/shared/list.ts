import { z } from 'zod'

/** A page of a list: the cursor is opaque and comes from the page before. @param limit how many rows when nobody says */
export const page = (limit: number) => ({
  cursor: z.string().max(4000).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(limit),
})

/** What a list is ordered by; `first` and `order` hold when nobody says. */
export const sorted = <const S extends readonly [string, ...string[]]>(
  sorts: S,
  first: NoInfer<S[number]>,
  order: 'asc' | 'desc',
) => ({ sort: z.enum(sorts).default(first as never), ...ordered(order) })

/** Which way a list runs that has one order only. */
export const ordered = (order: 'asc' | 'desc') => ({ order: z.enum(['asc', 'desc']).default(order) })

/** Words that a person looks for. */
export const searched = { search: z.string().trim().max(100).optional() }
