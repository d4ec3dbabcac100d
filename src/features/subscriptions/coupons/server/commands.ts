import type { z } from 'zod'
import { clock } from '../../../../platform/clock.ts'
import { database } from '../../../../platform/db/database.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { conflict } from '../../../../shared/errors.ts'
import type { Coupon, couponsApi } from '../contract.ts'
import { couponCode } from '../rules.ts'
import { getCoupon } from './queries.ts'

/** Makes a code of the product owner. @throws AppError state_conflict when it was made before */
export const createCoupon = async (draft: z.output<(typeof couponsApi)['create']['body']>): Promise<Coupon> => {
  const made = await database()
    .insertInto('coupons')
    .values({ ...draft, createdAt: clock.iso() })
    .onConflict((c) => c.column('code').doNothing())
    .returning('code')
    .executeTakeFirst()
  if (!made) throw conflict(`The code ${draft.code} was made before. Nothing was changed; choose another one.`)
  return getCoupon(draft.code)
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
export const redeemCouponIn = async (db: TenantDb, code: string, providerSubscriptionId: string): Promise<void> => {
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
