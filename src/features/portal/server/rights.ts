import type { ContactRole, ContactWays } from '../../customers/contacts/rules.ts'

/** What somebody may see and do in the portal of a customer. */
export type Rights = {
  /** Invoices, payments, cards. */
  money: boolean
  quotes: boolean
  /** Skip, pause, ask for services, change the customer's data. */
  change: boolean
}

/** The customer themself may everything. */
export const ownRights: Rights = { money: true, quotes: true, change: true }

const deciders: readonly ContactRole[] = ['household', 'manager']

/** What a contact may: money and quotes where they get these anyway; only the household and who manages the place decide. Null: they have no portal. */
export const contactRights = (contact: { role: ContactRole } & ContactWays): Rights | null => {
  const decides = deciders.includes(contact.role)
  const money = contact.invoicesBy !== null
  const quotes = contact.quotesBy !== null
  return decides || money || quotes || contact.visitsBy !== null ? { money, quotes, change: decides } : null
}
