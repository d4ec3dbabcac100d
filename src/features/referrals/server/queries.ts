import { type Actor, hasPermission } from '../../../platform/actor.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { absoluteUrl } from '../../../platform/links.ts'
import { requireCustomer } from '../../customers/server/queries.ts'
import { getKept } from '../../leads/requests/server/queries.ts'
import type { Referrals } from '../contract.ts'
import { referralState } from '../rules.ts'

const shown = 20

/** The business page with a code; null where the page is off. */
export const referralLink = async (db: TenantDb, code: string): Promise<string | null> => {
  const { slug, publicPage } = await db
    .selectFrom('businesses')
    .select(['slug', 'publicPage'])
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  return publicPage ? absoluteUrl(`/profile/${slug}?ref=${code}`) : null
}

/** @throws not_found */
export const getReferrals = async (db: TenantDb, actor: Actor, customerId: string): Promise<Referrals> => {
  await requireCustomer(db, customerId)
  const known = await db
    .selectFrom('referralCodes')
    .select('code')
    .where('businessId', '=', db.businessId)
    .where('customerId', '=', customerId)
    .orderBy('createdAt')
    .limit(1)
    .executeTakeFirst()
  const { referralOn, referralGiverCents, referralFriendCents } = await getKept(db)
  const came = await db
    .selectFrom('businessLeads as l')
    .leftJoin('referralRewards as r', (x) =>
      x
        .onRef('r.businessId', '=', 'l.businessId')
        .onRef('r.friendId', '=', 'l.customerId')
        .onRef('r.giverId', '=', 'l.referredBy'),
    )
    .leftJoin('invoices as i', (x) => x.onRef('i.businessId', '=', 'r.businessId').onRef('i.id', '=', 'r.invoiceId'))
    .where('l.businessId', '=', db.businessId)
    .where('l.referredBy', '=', customerId)
    .select(['l.id', 'l.name', 'l.stage', 'l.customerId', 'l.createdAt', 'r.giverCents', 'i.status as invoiceStatus'])
    .orderBy('l.id', 'desc')
    .limit(shown)
    .execute()
  const sees = hasPermission(actor, 'money')
  return {
    code: known?.code ?? null,
    link: known ? await referralLink(db, known.code) : null,
    on: referralOn,
    giverCents: sees ? referralGiverCents : null,
    friendCents: sees ? referralFriendCents : null,
    items: came.map(({ id, name, stage, customerId: friendId, createdAt, giverCents, invoiceStatus }) => ({
      leadId: id,
      name,
      at: createdAt,
      customerId: friendId,
      state: referralState({ stage, customerId: friendId, rewarded: giverCents !== null, invoiceStatus }),
      rewardCents: sees ? giverCents : null,
    })),
  }
}
