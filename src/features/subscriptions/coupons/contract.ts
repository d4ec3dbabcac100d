import { z } from 'zod'
import { endpoint } from '../../../shared/endpoint.ts'

const Code = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z0-9][A-Z0-9-]{2,39}$/, 'Three to 40 letters, digits and dashes, like SPRING15')

export const Coupon = z.object({
  code: z.string(),
  /** Off the first invoice of a subscription. */
  percentOff: z.number().int(),
  maxUses: z.number().int().nullable(),
  uses: z.number().int(),
  expiresAt: z.string().nullable(),
  endedAt: z.string().nullable(),
  createdAt: z.string(),
})
export type Coupon = z.output<typeof Coupon>

const mine = { access: 'productOwner' } as const

export const couponsApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/owner/coupons',
    ...mine,
    response: z.object({ coupons: z.array(Coupon) }),
    summary: 'The codes that were made',
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/owner/coupons',
    ...mine,
    body: z.object({
      code: Code,
      percentOff: z.number().int().min(1, 'At least 1%').max(100, 'At most 100%').default(15),
      maxUses: z.number().int().min(1).max(1_000_000).nullable().default(null),
      expiresAt: z.iso.datetime().nullable().default(null),
    }),
    response: Coupon,
    summary: 'Make a code: percent off the first month',
  }),
  end: endpoint({
    method: 'POST',
    path: '/api/owner/coupons/:code/end',
    ...mine,
    params: z.object({ code: z.string().max(60) }),
    response: Coupon,
    summary: 'Nobody can use it from now on; who did keeps the discount',
  }),
}
