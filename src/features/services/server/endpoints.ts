import { hasPermission } from '../../../platform/actor.ts'
import { withTenant } from '../../../platform/db/tenant.ts'
import { serve } from '../../../platform/http/serve.ts'
import { lineCents } from '../../../shared/money.ts'
import { servicesApi } from '../contract.ts'
import { minutesFor, priceFor } from '../rules.ts'
import {
  addDefaultServices,
  archiveService,
  changeService,
  createService,
  reorderServices,
  restoreService,
} from './commands.ts'
import { getService, listServiceNames, listServices, serviceFor } from './queries.ts'

export const servicesEndpoints = serve(
  'services',
  servicesApi,
)({
  names: async ({ actor }) => ({ items: await withTenant(actor, listServiceNames) }),
  catalog: async ({ actor, query }) => ({
    items: (await withTenant(actor, (db) => listServices(db, { archived: query.archived ?? false }))).map((service) =>
      serviceFor(actor, service),
    ),
  }),
  create: ({ actor, body }) => createService(actor, body),
  addDefaults: async ({ actor }) => ({ items: await addDefaultServices(actor) }),
  update: ({ actor, params, body }) => changeService(actor, params.id, body),
  archive: ({ actor, params }) => archiveService(actor, params.id),
  restore: ({ actor, params }) => restoreService(actor, params.id),
  reorder: async ({ actor, body }) => ({ items: await reorderServices(actor, body.ids) }),
  quotePrice: async ({ actor, params, body }) => {
    const service = await withTenant(actor, (db) => getService(db, params.id))
    const price = priceFor(service.priceRule, body)
    const time = minutesFor(service.timeRule, body)
    if (!hasPermission(actor, 'money')) return { priceCents: null, minutes: time.minutes, reason: time.reason }
    return {
      priceCents: price.cents === null ? null : lineCents(body.quantity, price.cents),
      minutes: time.minutes,
      reason: price.reason ?? time.reason,
    }
  },
})
