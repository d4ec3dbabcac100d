import { randomInt } from 'node:crypto'
import type { Actor, SystemActor } from '../../../platform/actor.ts'
import { clock } from '../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { paragraph, small, writeLetter } from '../../../platform/mail/letter.ts'
import { AppError, notFound } from '../../../shared/errors.ts'
import { linkTo } from '../../../shared/links.ts'
import { formatCents } from '../../../shared/money.ts'
import { getKept } from '../../leads/requests/server/queries.ts'
import { queueMessage } from '../../messages/server/commands.ts'
import { notifyOffice } from '../../notifications/server/commands.ts'
import { giveCreditTx } from '../../payments/corrections/server/commands.ts'
import type { Referrals } from '../contract.ts'
import { codeLength, codeLetters, earnsReward, type PaidBy } from '../rules.ts'
import { getReferrals } from './queries.ts'

/** By mail where there is one, else by text. */
const tellCustomer = async (
  db: TenantDb,
  customer: { id: string; name: string; email: string | null; phone: string | null },
  { cents, why, key }: { cents: number; why: string; key: string },
): Promise<void> => {
  const business = await db
    .selectFrom('businesses')
    .select(['name', 'brandColor'])
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  const to = { purpose: 'transactional', customerId: customer.id, dedupeKey: key } as const
  const words = `${why} ${formatCents(cents)} is credited to your account and can be used on a future invoice.`
  if (customer.email)
    await queueMessage(db, {
      ...to,
      channel: 'email',
      address: customer.email,
      subject: `${business.name}: ${formatCents(cents)} credit for you`.slice(0, 200),
      ...writeLetter({
        from: business.name,
        brandColor: business.brandColor,
        parts: [paragraph(`Hello ${customer.name}, ${words}`), paragraph('Thank you!'), small(business.name)],
      }),
    })
  else if (customer.phone)
    await queueMessage(db, { ...to, channel: 'sms', address: customer.phone, text: `${business.name}: ${words}` })
}

/**
 * The first paid invoice of a customer who was sent by another earns both what the settings say: as credit in the ledger, once, whatever invoices follow
 * and however often the payment is told. A reward that was given stays given when that invoice is taken back later.
 */
export const rewardReferral = (
  actor: SystemActor,
  { invoiceId, by }: { invoiceId: string; by: PaidBy },
): Promise<void> =>
  withTenant(actor, async (db) => {
    const invoice = await db
      .selectFrom('invoices')
      .select(['customerId', 'status'])
      .where('businessId', '=', db.businessId)
      .where('id', '=', invoiceId)
      .executeTakeFirst()
    if (!invoice) return
    const lead = await db
      .selectFrom('businessLeads')
      .select(['id', 'referredBy'])
      .where('businessId', '=', db.businessId)
      .where('customerId', '=', invoice.customerId)
      .where('referredBy', 'is not', null)
      .where('convertedAt', 'is not', null)
      .orderBy('id')
      .limit(1)
      .executeTakeFirst()
    const giverId = lead?.referredBy
    if (!giverId) return
    const friendId = invoice.customerId
    const terms = await getKept(db)
    if (!earnsReward(terms, { by, status: invoice.status, giverId, friendId })) return
    const { referralGiverCents: giverCents, referralFriendCents: friendCents } = terms
    const made = await db
      .insertInto('referralRewards')
      .values({
        businessId: db.businessId,
        friendId,
        giverId,
        invoiceId,
        giverCents,
        friendCents,
        createdAt: clock.iso(),
      })
      .onConflict((c) => c.columns(['businessId', 'friendId']).doNothing())
      .returning('friendId')
      .executeTakeFirst()
    if (!made) return
    const people = await db
      .selectFrom('customers')
      .select(['id', 'name', 'email', 'phone'])
      .where('businessId', '=', db.businessId)
      .where('id', 'in', [giverId, friendId])
      .execute()
    const giver = people.find(({ id }) => id === giverId)
    const friend = people.find(({ id }) => id === friendId)
    if (!giver || !friend) return
    if (giverCents > 0) {
      await giveCreditTx(db, actor, giverId, { amountCents: giverCents, reason: `Referral: ${friend.name}` })
      await tellCustomer(db, giver, {
        cents: giverCents,
        why: `${friend.name} came by you.`,
        key: `referral:${friendId}:giver`,
      })
    }
    if (friendCents > 0) {
      await giveCreditTx(db, actor, friendId, { amountCents: friendCents, reason: `Sent by ${giver.name}` })
      await tellCustomer(db, friend, {
        cents: friendCents,
        why: `${giver.name} sent you to us.`,
        key: `referral:${friendId}:friend`,
      })
    }
    await notifyOffice(db, {
      type: 'other',
      title: `${giver.name} sent ${friend.name}`,
      content: `The first invoice is paid: ${[
        giverCents > 0 ? `${formatCents(giverCents)} credit for ${giver.name}` : '',
        friendCents > 0 ? `${formatCents(friendCents)} for ${friend.name}` : '',
      ]
        .filter(Boolean)
        .join(', ')}.`,
      path: linkTo.customer(giverId),
      dedupeKey: `referral:${friendId}`,
    })
    await publishChange(db, 'leads', [lead.id])
  })

const newCode = (): string =>
  Array.from({ length: codeLength }, () => codeLetters[randomInt(codeLetters.length)]).join('')

/** A customer's own code, made when it is first asked for. @throws AppError not_found */
export const giveReferralCode = (actor: Actor, customerId: string): Promise<Referrals> =>
  withTenant(actor, async (db) => {
    const customer = await db
      .selectFrom('customers')
      .select('id')
      .where('businessId', '=', db.businessId)
      .where('id', '=', customerId)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!customer) throw notFound('customer')
    for (let tries = 0; tries < 5; tries++) {
      const known = await getReferrals(db, actor, customerId)
      if (known.code) return known
      await db
        .insertInto('referralCodes')
        .values({ businessId: db.businessId, customerId, code: newCode(), createdAt: clock.iso() })
        .onConflict((c) => c.doNothing())
        .execute()
    }
    throw new AppError('internal', 'The code could not be made. Nothing was changed; please try again.')
  })

/** A customer's codes lead to another from here on: neighbors hold them already. */
export const moveReferralCodeTx = async (db: TenantDb, fromId: string, toId: string): Promise<void> => {
  await db
    .updateTable('referralCodes')
    .set({ customerId: toId })
    .where('businessId', '=', db.businessId)
    .where('customerId', '=', fromId)
    .execute()
}
