import { z } from 'zod'

/** Why an owner books money into a month that is closed: it stands on the record. Left out where the month is open. */
export const ClosedMonthReason = z.string().trim().min(1, 'Say why: it stands on the record').max(300).optional()
