import type { z } from 'zod'
import { clock } from '../../../../platform/clock.ts'
import { database } from '../../../../platform/db/database.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { conflict } from '../../../../shared/errors.ts'
import type { Coupon, couponsApi } from '../contract.ts'
import { couponCode } from '../rules.ts'
import { getCoupon } from './queries.ts'

type Draft = z.output<(typeof couponsApi)['create']['body']>

const msOf = (instant: string | null): number | null => (instant === null ? null : Date.parse(instant))

/** The same form sent again after a lost answer: the code stands as it was asked for, and nobody has used or ended it. */
const isSameRequest = (coupon: Coupon, draft: Draft): boolean =>
  coupon.percentOff === draft.percentOff &&
  coupon.maxUses === draft.maxUses &&
  msOf(coupon.expiresAt) === msOf(draft.expiresAt) &&
  coupon.uses === 0 &&
  coupon.endedAt === null

/** Makes a code of the product owner; asked for twice it is one. @throws AppError state_conflict when it was made before as another one */
export const createCoupon = async (draft: Draft): Promise<Coupon> => {
  const made = await database()
    .insertInto('coupons')
    .values({ ...draft, createdAt: clock.iso() })
    .onConflict((c) => c.column('code').doNothing())
    .returning('code')
    .executeTakeFirst()
  const coupon = await getCoupon(draft.code)
  if (!made && !isSameRequest(coupon, draft))
    throw conflict(`The code ${draft.code} was made before. Nothing was changed; choose another one.`)
  return coupon
}

/** Ends a code; ending it twice changes nothing. */
export const endCoupon = async (code: string): Promise<Coupon> => {
  const { code: known } = await getCoupon(code)
  await database()
    .updateTable('coupons')
    .set({ endedAt: clock.iso() })
    .where('code', '=', known)
    .where('endedAt', 'is', null)
    .execute()
  return getCoupon(known)
}

/** Notes that a subscription was begun with a code, once. */
export const redeemCouponTx = async (db: TenantDb, code: string, providerSubscriptionId: string): Promise<void> => {
  const made = await db
    .insertInto('couponUses')
    .values({ businessId: db.businessId, code: couponCode(code), providerSubscriptionId, usedAt: clock.iso() })
    .onConflict((c) => c.columns(['businessId', 'code']).doNothing())
    .returning('code')
    .executeTakeFirst()
  if (made)
    await db
      .updateTable('coupons')
      .set((eb) => ({ uses: eb('uses', '+', 1) }))
      .where('code', '=', made.code)
      .execute()
}
