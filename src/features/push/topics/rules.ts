import type { officeTopics } from '../contract.ts'

/** The kinds of news of the office, as they are chosen by. */
export const topicWords: Record<(typeof officeTopics)[number], { name: string; hint: string }> = {
  needsYou: { name: 'Needs you', hint: 'Work that did not fit, a week that was asked about, equipment that is down' },
  replies: { name: 'Customers', hint: 'A customer writes, asks for work, skips or pauses in the portal' },
  chat: { name: 'Crew chat', hint: 'Somebody of a crew writes' },
  jobs: { name: 'Jobs and calendar', hint: 'Bookings, renewals, notes of a crew about a visit' },
  quotes: { name: 'Quotes and leads', hint: 'A new lead, a quote that is read, signed, paid or turned down' },
  money: { name: 'Invoices and payments', hint: 'Failed charges, disputes, refunds, payouts' },
  other: { name: 'Everything else', hint: 'Receipts by mail, referrals, your plan, support' },
}
