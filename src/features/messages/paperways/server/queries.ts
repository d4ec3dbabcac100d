import type { TenantDb } from '../../../../platform/db/tenant.ts'
import type { PaperWay } from '../../../../shared/paper-ways.ts'
import { toE164 } from '../../../../shared/phone.ts'
import { listRecipients } from '../../../customers/contacts/server/queries.ts'
import { smsUsage } from '../../server/queries.ts'
import { isReached, type PaperReach, paperReach } from '../rules.ts'

/** Where a paper goes to one more person of a customer. */
export type OtherReach = { contactId: string | null; name: string; mail: string | null; text: string | null }

export type CustomerReach = PaperReach & {
  name: string
  language: 'en' | 'es'
  /** Contacts who get it, too. */
  others: OtherReach[]
}

const nobody: CustomerReach = { name: '', language: 'en', mail: null, text: null, why: null, others: [] }

/**
 * Where the papers of customers go now, by their ids: to whom of each gets invoices, the first reached one before the others.
 * @param ofPlan false where it does not matter what the plan has left this month: in the past
 */
export const listPaperReach = async (
  db: TenantDb,
  customerIds: readonly string[],
  { ofPlan = true }: { ofPlan?: boolean } = {},
): Promise<(customerId: string) => CustomerReach> => {
  if (customerIds.length === 0) return () => nobody
  const rows = await db
    .selectFrom('customers')
    .innerJoin('businesses', 'businesses.businessId', 'customers.businessId')
    .where('customers.businessId', '=', db.businessId)
    .where('customers.id', 'in', [...new Set(customerIds)])
    .select(['customers.id', 'customers.name', 'customers.language'])
    .select((eb) => eb.fn.coalesce('customers.paperWay', 'businesses.paperWay').as('way'))
    .execute()
  const recipients = await listRecipients(
    db,
    rows.map(({ id }) => id),
    'invoices',
  )
  const people = rows.map((row) => ({
    ...row,
    whom: recipients(row.id).map((one) => ({
      contactId: one.contactId,
      name: one.name,
      email: one.email,
      number: one.phone ? toE164(one.phone) : null,
      way: one.way ?? (row.way as PaperWay),
    })),
  }))
  const numbers = people.flatMap(({ whom }) =>
    whom.flatMap(({ way, number }) => (way !== 'email' && number ? [number] : [])),
  )
  const [stopped, usage] =
    numbers.length === 0
      ? [[], null]
      : [
          await db
            .selectFrom('suppressions')
            .select(['address', 'reason'])
            .where('businessId', '=', db.businessId)
            .where('channel', '=', 'sms')
            .where('purpose', '=', 'all')
            .where('address', 'in', numbers)
            .execute(),
          ofPlan ? await smsUsage(db) : null,
        ]
  const reasons = new Map(stopped.map(({ address, reason }) => [address, reason]))
  const usedUp = usage !== null && usage.segmentLimit !== null && usage.segmentsUsed >= usage.segmentLimit
  const found = new Map(
    people.map(({ id, name, language, whom }): [string, CustomerReach] => {
      const reached = whom.map(({ contactId, name, way, email, number }) => {
        // without an e-mail the text is asked for all the same: it stands in the messages with the reason why it did not leave
        const noText =
          (number && reasons.get(number)) ?? (usedUp && email ? 'The SMS segments of this month are used up' : null)
        return { contactId, name, ...paperReach(way, { email, number }, noText || null) }
      })
      const first = reached.find(isReached) ?? reached[0]
      const others = reached.filter((one) => one !== first && isReached(one))
      return [
        id,
        {
          name,
          language: language as CustomerReach['language'],
          mail: first?.mail ?? null,
          text: first?.text ?? null,
          why: first?.why ?? null,
          ...(others.length > 0 ? { also: others.map((one) => one.name) } : {}),
          others,
        },
      ]
    }),
  )
  return (customerId) => found.get(customerId) ?? nobody
}

/** Where the papers of one customer go now. */
export const getPaperReach = async (db: TenantDb, customerId: string): Promise<CustomerReach> =>
  (await listPaperReach(db, [customerId]))(customerId)
