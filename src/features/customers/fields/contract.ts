import { z } from 'zod'
import { readPhone } from '../../../shared/phone.ts'
import { optional } from '../properties/contract.ts'

/** An e-mail in lower case; empty is none. */
export const email = optional(254, 'The e-mail').transform((value, context) => {
  if (value === null) return null
  const checked = z.email().safeParse(value.toLowerCase())
  if (checked.success) return checked.data
  context.addIssue({ code: 'custom', message: 'This is not an e-mail address.' })
  return z.NEVER
})

/** A phone number in E.164; empty is none. */
export const phone = optional(40, 'The phone number').transform((value, context) => {
  if (value === null) return null
  const e164 = readPhone(value)
  if (e164) return e164
  context.addIssue({ code: 'custom', message: 'A phone number has ten digits.' })
  return z.NEVER
})
