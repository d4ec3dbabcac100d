import { createHash } from 'node:crypto'

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Under what a trial is remembered: the business, and the address of who pays for it, so that registering again brings no second one. */
export const trialKeys = (businessId: string, email: string | null): string[] => [
  hash(`business:${businessId}`),
  ...(email ? [hash(`email:${email.toLowerCase()}`)] : []),
]
