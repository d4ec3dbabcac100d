import type { Purpose } from '../rules.ts'

/** Mail to an address comes back for now on so many days, within so many, and nothing more is sent there. */
export const troubleDays = 3
export const troubleWithinDays = 14

/** A box that nobody emptied may be emptied: after so many days mail is tried again. */
export const boxRestDays = 30

export const boxReason = `Mail came back on ${troubleDays} days`
export const spamReason = 'They marked it as spam'

/** What a complaint ends: of an offer all offers, of anything else all mail. */
export const complaintShuts = (purpose: Purpose): 'marketing' | 'all' => (purpose === 'marketing' ? 'marketing' : 'all')
