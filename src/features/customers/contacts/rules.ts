import type { Refusal } from '../../../shared/can.ts'
import type { PaperWay } from '../../../shared/paper-ways.ts'

/** What a business writes to its customers, by who of a customer gets it. */
export const contactKinds = ['invoices', 'quotes', 'visits', 'marketing'] as const
export type ContactKind = (typeof contactKinds)[number]

export const contactKindLabels: Record<ContactKind, string> = {
  invoices: 'Invoices and receipts',
  quotes: 'Quotes',
  visits: 'Visit notices',
  marketing: 'Offers and news',
}

export const contactRoles = ['household', 'billing', 'gate', 'tenant', 'manager', 'other'] as const
export type ContactRole = (typeof contactRoles)[number]

export const contactRoleLabels: Record<ContactRole, string> = {
  household: 'Household',
  billing: 'Billing',
  gate: 'Gate or key',
  tenant: 'Tenant',
  manager: 'Property manager',
  other: 'Other',
}

/** The most contacts that a customer has beside themselves. */
export const mostContacts = 20

export type ContactWays = Record<`${ContactKind}By`, PaperWay | null>

/** Where one kind of news goes. Without `contactId` it is the customer; `way` null is as the customer or the business has it. */
export type Recipient = {
  contactId: string | null
  name: string
  email: string | null
  phone: string | null
  way: PaperWay | null
}

type Customer = { name: string; email: string | null; phone: string | null; gets: readonly ContactKind[] }
type Contact = { id: string; name: string; email: string | null; phone: string | null } & ContactWays

/** Kinds that must not be lost: what nobody was chosen for goes to the customer. */
const neverLost: readonly ContactKind[] = ['invoices', 'quotes']

/**
 * Who of a customer gets a kind of news, the customer first. An address or number that somebody before has got it at already is left out. What
 * nobody was chosen for goes to the customer, where losing it would cost money.
 */
export const recipientsOf = (customer: Customer, contacts: readonly Contact[], kind: ContactKind): Recipient[] => {
  const chosen = contacts.flatMap((contact) => {
    const way = contact[`${kind}By`]
    if (way === null) return []
    const email = way === 'text' ? null : contact.email
    const phone = way === 'email' ? null : contact.phone
    return email === null && phone === null
      ? []
      : [{ contactId: contact.id, name: contact.name, email, phone, way } satisfies Recipient]
  })
  const themself = { contactId: null, name: customer.name, email: customer.email, phone: customer.phone, way: null }
  const isOwn = customer.gets.includes(kind) || (chosen.length === 0 && neverLost.includes(kind))
  const seen = new Set<string>()
  return [...(isOwn ? [themself] : []), ...chosen].flatMap((one) => {
    const email = one.email !== null && !seen.has(one.email) ? one.email : null
    const phone = one.phone !== null && !seen.has(one.phone) ? one.phone : null
    for (const address of [email, phone]) if (address) seen.add(address)
    return one.contactId !== null && email === null && phone === null ? [] : [{ ...one, email, phone }]
  })
}

/** Why somebody cannot get a kind by the way that was chosen, by field; empty when they can. */
export const wayProblems = (
  contact: { email: string | null; phone: string | null } & ContactWays,
): { path: string; message: string }[] =>
  contactKinds.flatMap((kind) => {
    const way = contact[`${kind}By`]
    if (way === null) return []
    const missing = [
      way !== 'text' && contact.email === null ? 'an e-mail' : null,
      way !== 'email' && contact.phone === null ? 'a phone number' : null,
    ].filter((one) => one !== null)
    return missing.length === 0
      ? []
      : [{ path: `${kind}By`, message: `That needs ${missing.join(' and ')}: add it, or choose another way.` }]
  })

/** Why one more contact is refused. */
export const addContactRefusal: Refusal<{ name: string; count: number }> = ({ name, count }) =>
  count >= mostContacts
    ? `${name} has ${mostContacts} contacts, which is as many as a customer can have. Nothing was saved: remove one you no longer need first.`
    : null
