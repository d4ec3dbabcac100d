import type { Actor, Who } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { requireVersion } from '../../../../platform/db/version.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { newId } from '../../../../platform/ids.ts'
import { refuse } from '../../../../shared/can.ts'
import { invalid, notFound } from '../../../../shared/errors.ts'
import { takeNumberTx } from '../../numbers/server/commands.ts'
import type { ContactChanges, CustomerContacts, NewContact } from '../contract.ts'
import { addContactRefusal, wayProblems } from '../rules.ts'
import { listContacts } from './queries.ts'

/** The customer's record shows them, and a notice that found nobody is tried again. */
const touchCustomer = async (db: TenantDb, customerId: string): Promise<void> => {
  await db
    .updateTable('customers')
    .set({ updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('id', '=', customerId)
    .execute()
  await publishChange(db, 'customers', [customerId])
}

const lockContact = async (db: TenantDb, id: string) => {
  const row = await db
    .selectFrom('customerContacts')
    .selectAll()
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!row) throw notFound('contact')
  return row
}

/** Somebody has to be reachable, and by each way that was chosen. @throws invalid */
const requireReachable = (contact: Parameters<typeof wayProblems>[0]): void => {
  const problems =
    contact.email === null && contact.phone === null
      ? [{ path: 'phone', message: 'A contact needs a phone number or an e-mail.' }]
      : wayProblems(contact)
  if (problems.length > 0) throw invalid(problems)
}

/** Adds a contact inside a running transaction; the customer's row is held still, so that the count cannot pass the most. */
export const addContactTx = async (
  db: TenantDb,
  who: Actor,
  customerId: string,
  input: NewContact,
): Promise<string> => {
  const customer = await db
    .selectFrom('customers')
    .select('name')
    .where('businessId', '=', db.businessId)
    .where('id', '=', customerId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!customer) throw notFound('customer')
  const { count } = await db
    .selectFrom('customerContacts')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('businessId', '=', db.businessId)
    .where('customerId', '=', customerId)
    .executeTakeFirstOrThrow()
  refuse(addContactRefusal({ name: customer.name, count: Number(count) }))
  const none = { email: null, phone: null, invoicesBy: null, quotesBy: null, visitsBy: null, marketingBy: null }
  const contact = { ...none, ...input }
  requireReachable(contact)
  const id = newId()
  const now = clock.iso()
  await db
    .insertInto('customerContacts')
    .values({ ...contact, businessId: db.businessId, id, customerId, createdAt: now, updatedAt: now })
    .execute()
  await audit(db, who, 'contact.add', { type: 'customer', id: customerId }, { after: contact })
  await touchCustomer(db, customerId)
  return id
}

export const addContact = (who: Actor, customerId: string, input: NewContact): Promise<CustomerContacts> =>
  withTenant(who, async (db) => {
    await addContactTx(db, who, customerId, input)
    await takeNumberTx(db, who, { customerId, phone: input.phone, isNew: false })
    return listContacts(db, customerId)
  })

/** Changes a contact inside a running transaction; for what contacts change themselves, too. @returns whose contact it is */
export const updateContactTx = async (
  db: TenantDb,
  who: Who,
  id: string,
  { version, ...changes }: ContactChanges,
): Promise<string> => {
  const row = await lockContact(db, id)
  requireVersion(row, version, 'this contact')
  requireReachable({ ...row, ...changes })
  await db
    .updateTable('customerContacts')
    .set({ ...changes, version: version + 1, updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .execute()
  const before = Object.fromEntries(
    Object.keys(changes).map((key) => [key, (row as unknown as Record<string, unknown>)[key]]),
  )
  await audit(db, who, 'contact.update', { type: 'customer', id: row.customerId }, { before, after: changes })
  await touchCustomer(db, row.customerId)
  if (changes.phone !== row.phone)
    await takeNumberTx(db, who, { customerId: row.customerId, phone: changes.phone, isNew: false })
  return row.customerId
}

export const updateContact = (who: Actor, id: string, input: ContactChanges): Promise<CustomerContacts> =>
  withTenant(who, async (db) => listContacts(db, await updateContactTx(db, who, id, input)))

export const removeContact = (who: Actor, id: string): Promise<CustomerContacts> =>
  withTenant(who, async (db) => {
    const row = await lockContact(db, id)
    await db.deleteFrom('customerContacts').where('businessId', '=', db.businessId).where('id', '=', id).execute()
    const { name, role, email, phone } = row
    await audit(
      db,
      who,
      'contact.remove',
      { type: 'customer', id: row.customerId },
      { before: { name, role, email, phone } },
    )
    await touchCustomer(db, row.customerId)
    return listContacts(db, row.customerId)
  })

/** Takes back contacts that were made by something else and that nobody has changed since. */
export const removeUnchangedContactsTx = async (db: TenantDb, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return
  await db
    .deleteFrom('customerContacts')
    .where('businessId', '=', db.businessId)
    .where('id', 'in', [...ids])
    .where('version', '=', 1)
    .execute()
}
