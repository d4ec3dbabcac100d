import { serve } from '../../../../platform/http/serve.ts'
import { couponsApi } from '../contract.ts'
import { createCoupon, endCoupon } from './commands.ts'
import { listCoupons } from './queries.ts'

export const couponsEndpoints = serve(
  'coupons',
  couponsApi,
)({
  list: async () => ({ coupons: await listCoupons() }),
  create: ({ body }) => createCoupon(body),
  end: ({ params }) => endCoupon(params.code),
})
