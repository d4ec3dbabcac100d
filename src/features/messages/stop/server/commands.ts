import type { Actor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { conflict, notFound } from '../../../../shared/errors.ts'
import { linkTo } from '../../../../shared/links.ts'
import { hubPath } from '../../../../shared/paths.ts'
import { formatPhone } from '../../../../shared/phone.ts'
import { notifyOffice, settleNotice } from '../../../notifications/server/commands.ts'
import type { Message } from '../../contract.ts'
import { lockAddress, recordConsent, suppress } from '../../server/commands.ts'
import { findSuppression, getMessage } from '../../server/queries.ts'

const noticeKey = (messageId: string): string => `stop-doubt:${messageId}`

/** Asks the office whether a text was a STOP. */
export const askAboutStopTx = async (
  db: TenantDb,
  text: { id: string; address: string; body: string; customerId: string | null },
): Promise<void> => {
  const customer = text.customerId
    ? await db
        .selectFrom('customers')
        .select(['id', 'name'])
        .where('businessId', '=', db.businessId)
        .where('id', '=', text.customerId)
        .executeTakeFirst()
    : undefined
  await notifyOffice(db, {
    type: 'sms',
    topic: 'needsYou',
    title: `Does ${customer?.name ?? formatPhone(text.address)} want no more texts?`,
    content: `“${text.body.slice(0, 200)}” Say what they meant in the conversation. Until then no offers leave to this number.`,
    customerId: customer?.id ?? null,
    path: customer ? linkTo.thread(customer.id) : hubPath('customers', 'messages'),
    dedupeKey: noticeKey(text.id),
  })
}

/** What is known now of all that was unclear from a number: they said it plainly, or the office did. */
export const settleDoubtsTx = async (db: TenantDb, address: string, meant: 'stop' | 'fine'): Promise<void> => {
  const settled = await db
    .updateTable('messages')
    .set({ stopDoubt: meant })
    .where('businessId', '=', db.businessId)
    .where('address', '=', address)
    .where('stopDoubt', '=', 'open')
    .returning('id')
    .execute()
  for (const { id } of settled) await settleNotice(db, noticeKey(id))
  if (settled.length > 0)
    await publishChange(
      db,
      'messages',
      settled.map(({ id }) => id),
    )
}

/** Ends all texts to a number, with the words by which it was asked for. */
export const endTextsTx = async (
  db: TenantDb,
  {
    address,
    source,
    wording,
    reason,
    actorId,
  }: { address: string; source: string; wording: string; reason: string; actorId?: string },
): Promise<void> => {
  for (const purpose of ['transactional', 'marketing'] as const)
    await recordConsent(db, {
      channel: 'sms',
      address,
      purpose,
      action: 'revoke',
      source,
      wording,
      ...(actorId ? { actorId } : {}),
    })
  await suppress(db, 'sms', address, 'all', reason)
  await settleDoubtsTx(db, address, 'stop')
}

/** The office says what a text meant. @throws not_found, state_conflict */
export const settleStopDoubt = (actor: Actor, id: string, meant: 'stop' | 'fine'): Promise<Message> =>
  withTenant(actor, async (db) => {
    const find = () =>
      db
        .selectFrom('messages')
        .select(['address', 'bodyText', 'stopDoubt'])
        .where('businessId', '=', db.businessId)
        .where('id', '=', id)
        .executeTakeFirst()
    const text = await find()
    if (!text) throw notFound('message')
    // a STOP that comes in this moment takes the same lock
    await lockAddress(db, 'sms', text.address)
    const doubt = (await find())?.stopDoubt ?? null
    if (doubt === null) throw conflict('Nobody asked about this message. Nothing was changed.')
    if (doubt !== 'open' && doubt !== meant)
      throw conflict(
        doubt === 'stop'
          ? 'Texts to this number have ended meanwhile. Only they can turn them on again, by replying START.'
          : 'Somebody said meanwhile that they still want texts. If they do not, end them under Consent on the customer.',
      )
    if (doubt === 'open') {
      if (meant === 'fine') await settleDoubtsTx(db, text.address, 'fine')
      else if ((await findSuppression(db, 'sms', text.address))?.purpose === 'all')
        await settleDoubtsTx(db, text.address, 'stop')
      else
        await endTextsTx(db, {
          address: text.address,
          source: 'their text, as the office read it',
          wording: text.bodyText.slice(0, 500),
          reason: 'They asked for no more texts',
          actorId: actor.userId,
        })
      await audit(db, actor, 'message.stop-doubt', { type: 'message', id }, { after: { meant } })
    }
    return getMessage(db, actor, id)
  })
