import { z } from 'zod'

/** Text that ends up in a header of a mail (a subject, a sender): one line, without what a mail server would take for an order. */
export const headerLine = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .regex(/^\P{Cc}*$/u, 'This has to fit on one line: take out line breaks and other control characters')
