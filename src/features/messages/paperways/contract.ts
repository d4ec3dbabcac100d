import { z } from 'zod'

/** Where papers go now; `why` says why no text goes although one is wanted, `also` names contacts who get it, too. */
export const Reach = z.object({
  mail: z.string().nullable(),
  text: z.string().nullable(),
  why: z.string().nullable(),
  also: z.array(z.string()).optional(),
})
