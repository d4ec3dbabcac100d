import type { TenantDb } from '../../platform/db/tenant.ts'
import { leadAddress, receiptAddress, returnAddress } from '../../platform/mail/addresses.ts'
import type { ResponseOf } from '../../shared/endpoint.ts'
import { notFound } from '../../shared/errors.ts'
import type { localMailApi } from './contract.ts'

type Addresses = ResponseOf<typeof localMailApi.addresses>

/** Addresses of a business that mail can come to. */
export const listAddresses = (businessId: string): Addresses['addresses'] =>
  [
    { label: 'Receipts', to: receiptAddress(businessId) },
    { label: 'Price requests', to: leadAddress(businessId) },
  ].flatMap(({ label, to }) => (to ? [{ label, to }] : []))

/** Who answers a mail and where the answer goes: null where it goes to nobody of ours, as with mail of the account. @throws not_found */
export const getAnswer = async (db: TenantDb, messageId: string): Promise<Addresses['answer']> => {
  const row = await db
    .selectFrom('messages')
    .leftJoin('customers', (join) =>
      join.onRef('customers.businessId', '=', 'messages.businessId').onRef('customers.id', '=', 'messages.customerId'),
    )
    .select([
      'messages.address',
      'messages.subject',
      'messages.purpose',
      'messages.customerId',
      'messages.entityType',
      'customers.name as customerName',
    ])
    .where('messages.businessId', '=', db.businessId)
    .where('messages.id', '=', messageId)
    .where('messages.channel', '=', 'email')
    .where('messages.direction', '=', 'outbound')
    .executeTakeFirst()
  if (!row) throw notFound('message')
  const isAnswered = row.purpose !== 'account' && (row.customerId !== null || row.entityType === 'lead')
  const to = isAnswered ? returnAddress('reply', messageId, db.businessId) : null
  if (!to) return null
  return { from: row.address, fromName: row.customerName ?? '', to, subject: `Re: ${row.subject}`.slice(0, 300) }
}
