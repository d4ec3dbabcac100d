import { z } from 'zod'

export const loadKinds = ['product', 'water', 'material', 'unset'] as const

/** What a stop's work takes along: products and water of the usual mixes, what is sold by the yard or the piece, and a treatment without a usual mix. */
export const StopLoad = z.array(
  z.object({
    kind: z.enum(loadKinds),
    /** Empty for water. */
    name: z.string(),
    unit: z.string(),
    /** Null where the lawn was not measured. */
    amount: z.number().nullable(),
  }),
)
export type StopLoad = z.output<typeof StopLoad>
