import { withTenant } from '../../../platform/db/tenant.ts'
import { networkOf } from '../../../platform/http/network.ts'
import { countUse } from '../../../platform/http/rate-limit.ts'
import { serve } from '../../../platform/http/serve.ts'
import { signTourToken } from '../../../platform/http/tour.ts'
import { AppError } from '../../../shared/errors.ts'
import { tourMessage } from '../../../shared/tour.ts'
import { tourApi } from '../contract.ts'
import { findTourBusiness, findTourCrew, getCustomerPage, getTourView } from './queries.ts'

export const tourEndpoints = serve(
  'tour',
  tourApi,
)({
  start: async ({ request }) => {
    // An office behind one address is many people; its row of the counter is the only one that a visit leaves.
    await countUse(`tour:${networkOf(request.ip)}`, 120, 600)
    const businessId = await findTourBusiness()
    if (!businessId) throw new AppError('not_found', tourMessage.none)
    return signTourToken(businessId, await withTenant({ businessId, readOnly: true }, findTourCrew))
  },
  view: ({ actor }) => getTourView(actor),
  customerPage: ({ actor }) => getCustomerPage(actor),
})
