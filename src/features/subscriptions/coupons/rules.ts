export type CouponFacts = { endedAt: string | null; expiresAt: string | null; maxUses: number | null; uses: number }

/** How a code is written, whatever somebody typed. */
export const couponCode = (text: string): string => text.trim().toUpperCase()

/** Why a code cannot be used, in words for the person, or null. */
export const couponProblem = (coupon: CouponFacts | null, usedBefore: boolean, nowMs: number): string | null => {
  if (!coupon) return 'We do not know this code. Check the spelling, or go on without it.'
  if (coupon.endedAt || (coupon.expiresAt && Date.parse(coupon.expiresAt) <= nowMs))
    return 'This code has ended. You can go on without it.'
  if (coupon.maxUses !== null && coupon.uses >= coupon.maxUses)
    return 'This code has been used up. You can go on without it.'
  return usedBefore ? 'Your business has used this code before; it holds once.' : null
}
