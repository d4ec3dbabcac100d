import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { requireCustomer } from '../../server/queries.ts'
import type { CustomerContact, CustomerContacts } from '../contract.ts'
import { type ContactKind, mostContacts, type Recipient, recipientsOf } from '../rules.ts'

const columns = [
  'id',
  'customerId',
  'name',
  'role',
  'email',
  'phone',
  'note',
  'invoicesBy',
  'quotesBy',
  'visitsBy',
  'marketingBy',
  'version',
] as const

/** Why nothing goes to an address or number any more. */
const shut = (channel: 'sms' | 'email', column: 'phone' | 'email') =>
  sql<string | null>`(select s.reason from suppressions s where s.business_id = customer_contacts.business_id
    and s.channel = ${channel} and s.purpose = 'all' and s.address = ${sql.ref(`customer_contacts.${column}`)} limit 1)`

/** The contacts of a customer in the order in which they were added. @throws not_found */
export const listContacts = async (db: TenantDb, customerId: string): Promise<CustomerContacts> => {
  await requireCustomer(db, customerId)
  const items = await db
    .selectFrom('customerContacts')
    .select(columns)
    .select([shut('sms', 'phone').as('noTexts'), shut('email', 'email').as('noMail')])
    .where('businessId', '=', db.businessId)
    .where('customerId', '=', customerId)
    .orderBy('id')
    .limit(mostContacts)
    .execute()
  return { customerId, items: items as CustomerContact[] }
}

/**
 * Who of each customer gets a kind of news: the one place that everything which writes to customers asks. The customer comes first; empty
 * where nobody gets it, or there is no such customer.
 */
export const listRecipients = async (
  db: TenantDb,
  customerIds: readonly string[],
  kind: ContactKind,
): Promise<(customerId: string) => Recipient[]> => {
  if (customerIds.length === 0) return () => []
  const ids = [...new Set(customerIds)]
  const customers = await db
    .selectFrom('customers')
    .select(['id', 'name', 'email', 'phone', 'gets'])
    .where('businessId', '=', db.businessId)
    .where('id', 'in', ids)
    .execute()
  const contacts = await db
    .selectFrom('customerContacts')
    .select(columns)
    .where('businessId', '=', db.businessId)
    .where('customerId', 'in', ids)
    .where(sql.ref(`${kind}By`), 'is not', null)
    .orderBy('id')
    .execute()
  const byCustomer = Map.groupBy(contacts, (contact) => contact.customerId)
  const found = new Map(
    customers.map((customer) => [
      customer.id,
      recipientsOf({ ...customer, gets: customer.gets as ContactKind[] }, byCustomer.get(customer.id) ?? [], kind),
    ]),
  )
  return (customerId) => found.get(customerId) ?? []
}

/** So many who share a number are told apart; a school's switchboard has no more customers than that. */
const mostSharing = 10

/** Customers in use who have a number, themselves or by a contact; the older first. */
export const listCustomersWithPhone = async (
  db: TenantDb,
  phone: string,
): Promise<{ customerId: string; name: string }[]> => {
  const { rows } = await sql<{ customerId: string; name: string }>`
    select c.id as customer_id, c.name from customers c
    where c.business_id = ${db.businessId} and c.archived_at is null and (c.phone = ${phone}
      or c.id in (select k.customer_id from customer_contacts k where k.business_id = ${db.businessId} and k.phone = ${phone}))
    order by c.created_at, c.id limit ${mostSharing}`.execute(db)
  return rows
}

/**
 * Whose number or address it is: a customer who is in use before an archived one never, a customer's own before a contact's, the older first.
 */
export const findCustomerByAddress = async (
  db: TenantDb,
  channel: 'sms' | 'email',
  address: string,
): Promise<{ customerId: string; contactId: string | null } | null> => {
  const column = channel === 'sms' ? 'phone' : 'email'
  const own = await db
    .selectFrom('customers')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where(column, '=', address)
    .where('archivedAt', 'is', null)
    .orderBy('createdAt')
    .executeTakeFirst()
  if (own) return { customerId: own.id, contactId: null }
  const contact = await db
    .selectFrom('customerContacts as k')
    .innerJoin('customers as c', (x) => x.onRef('c.businessId', '=', 'k.businessId').onRef('c.id', '=', 'k.customerId'))
    .select(['k.id as contactId', 'k.customerId'])
    .where('k.businessId', '=', db.businessId)
    .where(`k.${column}`, '=', address)
    .where('c.archivedAt', 'is', null)
    .orderBy('k.id')
    .executeTakeFirst()
  return contact ?? null
}
