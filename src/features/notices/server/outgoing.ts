import type { TenantDb } from '../../../platform/db/tenant.ts'
import type { WrittenLetter } from '../../../platform/mail/letter.ts'
import { asSms } from '../../businesses/notices/rules.ts'
import { queueMessage } from '../../messages/server/commands.ts'
import { stopLine } from '../../messages/server/queries.ts'
import type { NoticeCustomer, Way } from './queries.ts'

export type Words = { text: string; mail: () => WrittenLetter & { subject: string } }

type Outgoing = {
  customer: NoticeCustomer
  way: Way
  visitId: string
  dedupeKey: string
  words: Words
}

/** Puts the words of a notice about a visit into the outbox, by the way that is open to its customer. */
export const putOut = async (db: TenantDb, { customer, way, visitId, dedupeKey, words }: Outgoing): Promise<void> => {
  const common = {
    purpose: 'transactional',
    address: way.address,
    dedupeKey,
    customerId: customer.id,
    entity: { type: 'visit', id: visitId },
  } as const
  if (way.channel === 'email') {
    const { subject, text, html } = words.mail()
    await queueMessage(db, { channel: 'email', ...common, subject, text, html })
    return
  }
  const stop = await stopLine(db, { customerId: customer.id, address: way.address, language: customer.language })
  await queueMessage(db, { channel: 'sms', ...common, text: asSms(`${words.text}${stop}`) })
}
