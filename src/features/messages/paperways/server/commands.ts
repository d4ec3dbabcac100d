import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { type Outgoing, queueMessage } from '../../server/commands.ts'
import { stopLine } from '../../server/queries.ts'
import { type CustomerReach, getPaperReach } from './queries.ts'

type Paper = Pick<Outgoing, 'dedupeKey'> & {
  customerId: string
  entity?: { type: string; id: string }
  userId?: string
  /** It asks for money of its entity. */
  asks?: boolean
  /** In its customer's language; asked only where it goes by mail: a paper is filed there. */
  mail: (language: CustomerReach['language']) => Promise<{
    subject: string
    text: string
    html: string
    attachments?: NonNullable<Outgoing['attachments']>
  }>
  /** The words of a text with the link to the page, in its customer's language. */
  text: (language: CustomerReach['language']) => string
}

/**
 * Puts what a customer gets about money into the outbox, by the ways that are theirs; each once by the same key.
 * @returns where it goes
 */
export const queuePaperTx = async (db: TenantDb, { mail, text, dedupeKey, ...to }: Paper): Promise<CustomerReach> => {
  const reach = await getPaperReach(db, to.customerId)
  const common = { purpose: 'transactional', ...to } as const
  const first = { ...reach, key: dedupeKey }
  const others = reach.others.map((one) => ({ ...one, key: `${dedupeKey}:${one.contactId ?? 'own'}` }))
  // one drawing for all who get it
  const letter = [first, ...others].some((one) => one.mail) ? await mail(reach.language) : null
  for (const one of [first, ...others]) {
    if (one.mail && letter)
      await queueMessage(db, { channel: 'email', ...common, address: one.mail, dedupeKey: one.key, ...letter })
    if (one.text) {
      const stop = await stopLine(db, { customerId: to.customerId, address: one.text, language: reach.language })
      await queueMessage(db, {
        channel: 'sms',
        ...common,
        address: one.text,
        dedupeKey: `${one.key}:text`,
        text: `${text(reach.language)}${stop}`,
      })
    }
  }
  return reach
}
