import { clock } from '../../../../platform/clock.ts'
import { database } from '../../../../platform/db/database.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { invalid, notFound } from '../../../../shared/errors.ts'
import type { Coupon } from '../contract.ts'
import { couponCode, couponProblem } from '../rules.ts'

/** The codes that were made, the newest first. */
export const listCoupons = async (): Promise<Coupon[]> =>
  database().selectFrom('coupons').selectAll().orderBy('createdAt', 'desc').orderBy('code').execute()

export const getCoupon = async (code: string): Promise<Coupon> => {
  const row = await database().selectFrom('coupons').selectAll().where('code', '=', couponCode(code)).executeTakeFirst()
  if (!row) throw notFound('code')
  return row
}

/**
 * A code that this business may use now, for either checkout.
 * @throws AppError validation_failed on `coupon` with the reason
 */
export const getUsableCoupon = async (db: TenantDb, text: string): Promise<{ code: string; percentOff: number }> => {
  const code = couponCode(text)
  const coupon = await db.selectFrom('coupons').selectAll().where('code', '=', code).executeTakeFirst()
  const used = await db
    .selectFrom('couponUses')
    .select('code')
    .where('businessId', '=', db.businessId)
    .where('code', '=', code)
    .executeTakeFirst()
  const problem = couponProblem(coupon ?? null, used !== undefined, clock.nowMs())
  if (problem || !coupon) throw invalid([{ path: 'coupon', message: problem ?? '' }])
  return { code, percentOff: coupon.percentOff }
}
